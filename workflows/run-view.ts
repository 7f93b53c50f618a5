/**
 * What a run shows of itself while it goes on: the answer of the `state` query, without what `redact` hides.
 */
import type { Waiting } from '../definitions/records.ts';
import type { Json, RunState } from '../definitions/types.ts';
import type { CancelRequest, Checkpoint, Ending, UndoEntry } from './checkpoint.ts';
import type { RunContext } from './context.ts';
import { redact, redactResult, redactWaiting } from './redact.ts';
import type { RunStart } from './start.ts';

/** What the `state` query shows. Times are milliseconds since 1970. */
export interface RunView {
  readonly state: RunState;
  readonly definition: { readonly id: string; readonly version: number | null; readonly hash: string };
  readonly run: RunStart['run'];
  readonly startedAt: number;
  readonly nodeId: string | null;
  readonly vars: { readonly [name: string]: Json };
  readonly nodes: Checkpoint['frame']['nodes'];
  readonly waiting: readonly Waiting[];
  readonly undo: readonly Pick<UndoEntry, 'nodeId' | 'notUndone'>[];
  readonly counts: Checkpoint['counts'];
  readonly cancel: CancelRequest | null;
  readonly ending: Ending | null;
}

export function viewOf(run: RunContext): RunView {
  const { checkpoint, start, waiting } = run;
  const { frame, ending, cancel: request } = checkpoint;
  return {
    state: ending ? ending.state : request ? 'paused' : 'running',
    definition: { id: start.definition.id, version: start.definition.version, hash: start.definition.hash },
    run: start.run,
    startedAt: checkpoint.startedAt,
    nodeId: frame.nodeId,
    vars: redact(run, frame.vars),
    nodes: Object.fromEntries(Object.entries(frame.nodes).map(([id, result]) => [id, redactResult(run, result)])),
    waiting: [...waiting.values()].map((wait) => redactWaiting(run, wait)),
    undo: checkpoint.undo.map(({ nodeId, notUndone }) => ({ nodeId, notUndone })),
    counts: checkpoint.counts,
    cancel: request,
    ending: ending && redactResult(run, ending),
  };
}
