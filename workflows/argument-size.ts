/**
 * Whether a run can take along what it is: the argument by which it goes on in a fresh history has a limit in Temporal,
 * and past it the workflow task fails for ever.
 *
 * What it is: the last of the bounds, over all of them together. What a state may hold is bounded where it enters
 * (`bookBytes`); start, early decisions, open approvals and the frames themselves come on top of that.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Json } from '../definitions/types.ts';
import { closeWait, type RunContext } from './context.ts';
import { closeTask } from './tasks.ts';

/** Why the run cannot go on in a fresh history, or `null`. */
export function argumentFault({ start, checkpoint }: RunContext): ErrorInfo | null {
  // A definition that travels by reference is not in the argument.
  const { document, ...reference } = start.definition;
  const inline = Math.min(jsonBytes(document as unknown as Json), LIMITS.inlineDefinitionBytes);
  const bytes = inline + jsonBytes({ ...start, definition: reference, checkpoint } as unknown as Json);
  if (bytes <= LIMITS.argumentBytes) return null;
  const message =
    `The run has ${bytes} bytes with its input, event, state, decisions and open approvals, and cannot go on in a fresh ` +
    `history; the limit is ${LIMITS.argumentBytes}`;
  return { type: 'PAYLOAD_TOO_LARGE', message, nodeId: null, details: { bytes, limit: LIMITS.argumentBytes } };
}

/** Lets go of all that a run which only has to be undone needs no more. */
export function letGo(run: RunContext): void {
  const { early, frame } = run.checkpoint;
  for (const task of run.approvals.values()) closeTask(run, task, 'the run cannot go on');
  for (const seq of run.waiting.keys()) closeWait(run, seq);
  early.length = 0;
  run.checkpoint.events?.kept.splice(0);
  Object.assign(frame, { nodeId: null, visit: null, nodes: {} });
}
