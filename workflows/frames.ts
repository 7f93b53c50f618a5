/**
 * The frames of a run, outer before inner: every scope that is under way, as its plain state.
 */
import type { Frame, VisitState } from './checkpoint.ts';

/** The frames of the scopes that a visit holds. */
export function framesOf({ node }: VisitState): readonly Frame[] {
  if (node.kind === 'scope') return [node.frame];
  return 'fan' in node ? node.fan.open.map((part) => part.frame) : [];
}

/** The frame and all frames of scopes that its visit under way holds, at any depth. */
export function* framesIn(frame: Frame): Generator<Frame> {
  yield frame;
  if (frame.visit !== null) for (const inner of framesOf(frame.visit)) yield* framesIn(inner);
}
