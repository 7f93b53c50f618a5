/**
 * How an attempt ends once it was asked to stop.
 *
 * Invariants:
 * 1. A handler decides: what it returns counts, what it throws counts, and only passing the cancellation on is a cancel.
 * 2. When the server has given up on the attempt (timed out, or its run is closed), nobody hears the handler any more, and
 *    the attempt ends at once, so that a handler that never returns does not hold a slot for ever. The handler itself goes
 *    on until it looks at its signal: JavaScript cannot stop it.
 */
import { CancelledFailure } from '@temporalio/activity';

/** Reasons of the SDK after which a result would be thrown away. */
const GIVEN_UP: ReadonlySet<unknown> = new Set(['TIMED_OUT', 'NOT_FOUND']);

/** The cancellation that `thrown` passes on, or `null` when it is an error of its own. */
export function passedOnCancellation(thrown: unknown, signal: AbortSignal): CancelledFailure | null {
  if (!signal.aborted) return null;
  const passedOn =
    thrown === signal.reason ||
    thrown instanceof CancelledFailure ||
    (thrown instanceof Error && thrown.name === 'AbortError');
  if (!passedOn) return null;
  return signal.reason instanceof CancelledFailure ? signal.reason : new CancelledFailure('CANCELLED');
}

/** Settles as `work` does, or rejects with the signal's reason as soon as the server has given up. */
export async function whileWanted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => {};
  const givenUp = new Promise<never>((_, reject) => {
    leave = () => {
      if (signal.reason instanceof Error && GIVEN_UP.has(signal.reason.message)) reject(signal.reason);
    };
  });
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
