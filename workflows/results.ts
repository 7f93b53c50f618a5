/**
 * What visits leave behind, as `nodes.<id>` shows it, and what the run's state pays for it.
 *
 * Invariants:
 * 1. A result is booked when it is put there, in place of the one before it, and released when its scope is left.
 * 2. A visit that has ended has a result, also where there is no room for its output.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { hasOwn } from '../definitions/intrinsics.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import { asCause } from './causes.ts';
import type { NodeResult } from './checkpoint.ts';
import { bookBytes, checkedBytes, faultless, releaseBytes } from './context.ts';
import { type Outcome, outcomeName } from './outcome.ts';
import { rememberHidden } from './redact.ts';
import type { Scope, Visit } from './scope.ts';

/**
 * Puts the outcome under `nodes.<id>`. One that would make the state too large becomes an error, and an error loses its
 * details: what is left is small, so it may go past the limit. `limit`: bytes of the output alone.
 */
export function keepResult(visit: Visit<unknown>, outcome: Outcome, limit: number): Outcome {
  const { run, nodeId } = visit;
  const { frame } = visit.scope;
  const removed = hasOwn(frame.nodes, nodeId) ? resultBytes(frame.nodes[nodeId] as NodeResult) : 0;
  let kept = outcome;
  let result = resultOf(outcome);
  const booked = faultless(nodeId, () => {
    const bytes = checkedBytes(`output of the node ${nodeId}`, result.output, limit);
    bookBytes(run, bytes + errorBytes(result.error), removed);
  });
  if ('error' in booked) {
    kept = { kind: 'error', error: outcome.kind === 'error' ? asCause(outcome.error) : booked.error };
    result = resultOf(kept);
    run.checkpoint.bytes += resultBytes(result) - removed;
  }
  frame.nodes = { ...frame.nodes, [nodeId]: result };
  return kept;
}

function resultOf(outcome: Outcome): NodeResult {
  return {
    output: outcome.kind === 'success' || outcome.kind === 'named' ? outcome.output : null,
    outcome: outcomeName(outcome),
    error: outcome.kind === 'error' ? outcome.error : outcome.kind === 'success' ? (outcome.error ?? null) : null,
  };
}

/** What an inner scope held is no longer part of the run's state; what `redact` names in it stays hidden. */
export function leaveScope({ run, frame }: Scope): void {
  rememberHidden(run, frame);
  const vars = Object.values(frame.vars).map(jsonBytes);
  const results = Object.values(frame.nodes).map(resultBytes);
  releaseBytes(
    run,
    [...vars, ...results].reduce((sum, bytes) => sum + bytes, 0),
  );
}

/** What the run's state pays for a result. */
function resultBytes({ output, error }: NodeResult): number {
  return jsonBytes(output) + errorBytes(error);
}

function errorBytes(error: ErrorInfo | null): number {
  return error === null ? 0 : jsonBytes(error as unknown as Json);
}
