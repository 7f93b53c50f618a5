/**
 * The frames of a run, outer before inner: every scope that is under way, as its plain state.
 */
import type { Frame } from './checkpoint.ts';

/** The frame and all frames of scopes that its visit under way holds, at any depth. */
export function* framesIn(frame: Frame): Generator<Frame> {
  yield frame;
  const state = frame.visit?.node;
  if (state === undefined) return;
  if (state.kind === 'scope') yield* framesIn(state.frame);
  else if ('fan' in state) for (const part of state.fan.open) yield* framesIn(part.frame);
}

/** Visits of a node so far, in the scopes that are under way. */
export function visitsOf(frame: Frame, nodeId: string): number {
  let most = 0;
  for (const { visits } of framesIn(frame)) {
    if (Object.hasOwn(visits, nodeId)) most = Math.max(most, visits[nodeId] as number);
  }
  return most;
}
