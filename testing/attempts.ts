/**
 * All attempts of one command, on the virtual clock, as a server and a worker would make them.
 *
 * What it is: retries, timeouts, deadline and cancellation of an order whose answers come from mocks.
 * What it is not: a choice of answers (`mock-replies.ts`), or a rule about what a failure means for the run.
 *
 * Invariants:
 * 1. The wait before attempt n+1 is `initialInterval × coefficient^(n−1)`, at most `maxInterval`. Without a source of
 *    draws there is no jitter, so that the same mocks always take the same time; with one, it is that of a worker.
 * 2. An attempt that takes exactly its timeout is in time; one that takes longer ends there with `TIMEOUT`.
 * 3. No attempt outlives the deadline, and none begins after it: the command ends with `DEADLINE`, at once when the
 *    next attempt would come too late, as on Temporal.
 * 4. A cancelled command ends at once; with `awaitWhenCancelled`, when its attempt under way has ended. It is never
 *    tried again.
 */
import { jitteredMs } from '../definitions/backoff.ts';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import type { CommandOrder, ResolvedRetry } from '../workflows/orders.ts';
import type { Cancellation } from './cancellation.ts';
import type { Reply } from './mock-replies.ts';
import { SimulatedFailure, cancelled } from './simulated-failure.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { Interruption, Waits } from './waits.ts';

export interface AttemptHost {
  readonly clock: VirtualClock;
  readonly waits: Waits;
  readonly cancellation: Cancellation;
  /** The answer to the next attempt of an order. */
  reply(order: CommandOrder): Reply;
  /** Draws for jitter, from 0 up to 1; `null`: no jitter. */
  readonly random: (() => number) | null;
}

/** Carries an order out. @throws SimulatedFailure when it gave up or was cancelled */
export async function runAttempts(order: CommandOrder, host: AttemptHost): Promise<Json> {
  const { clock, cancellation, random } = host;
  const deadlineAt = order.deadlineMs === null ? Infinity : clock.now() + order.deadlineMs;
  let last: ErrorInfo | null = null;
  for (let attempt = 1; ; attempt++) {
    if (cancellation.requested) throw cancelled(order.type, order.nodeId);
    const end = await runAttempt(order, host, { deadlineAt, last });
    if ('output' in end) return end.output;
    last = end.error;
    if (cancellation.requested || !isWorthRetrying(end, order.retry, attempt)) throw new SimulatedFailure(last);
    const nextAt = clock.now() + retryDelayMs(order.retry, attempt, random?.() ?? null);
    if (nextAt > deadlineAt) throw new SimulatedFailure(deadlineError(order, last));
    await host.waits.begin({ untilMs: nextAt }, interruption(order, host));
  }
}

type AttemptEnd = { readonly output: Json } | FailedAttempt;
interface FailedAttempt {
  readonly error: ErrorInfo;
  readonly retryable: boolean;
}

async function runAttempt(
  order: CommandOrder,
  host: AttemptHost,
  { deadlineAt, last }: { readonly deadlineAt: number; readonly last: ErrorInfo | null },
): Promise<AttemptEnd> {
  const { clock, waits } = host;
  const reply = host.reply(order);
  const answersAt = clock.now() + reply.takesMs;
  const timeoutAt = clock.now() + order.timeoutMs;
  const endsAt = Math.min(answersAt, timeoutAt, deadlineAt);
  await waits.begin({ untilMs: endsAt }, order.awaitWhenCancelled ? undefined : interruption(order, host));
  if (answersAt > endsAt) {
    return endsAt === deadlineAt
      ? { error: deadlineError(order, last), retryable: false }
      : { error: timeoutError(order), retryable: true };
  }
  // Nobody reads what a rollback gives; a worker reports none.
  if ('output' in reply) return { output: order.rollback ? null : reply.output };
  const { retryable, ...error } = reply.error;
  return { error: { ...error, nodeId: order.nodeId }, retryable };
}

function interruption(order: CommandOrder, host: AttemptHost): Interruption {
  return { cancellation: host.cancellation, onCancel: () => cancelled(order.type, order.nodeId) };
}

function isWorthRetrying(end: FailedAttempt, retry: ResolvedRetry, attempt: number): boolean {
  return end.retryable && attempt < retry.maxAttempts && !retry.nonRetryable.includes(end.error.type);
}

/** The wait behind attempt number `attempt`, in whole milliseconds; without a draw it is the plain interval. */
export function retryDelayMs(retry: ResolvedRetry, attempt: number, draw: number | null): number {
  return draw === null ? jitteredMs({ ...retry, jitter: 0 }, attempt, 0) : jitteredMs(retry, attempt, draw);
}

function timeoutError({ nodeId }: CommandOrder): ErrorInfo {
  return { type: 'TIMEOUT', message: 'The attempt took longer than its timeout', nodeId };
}

function deadlineError({ nodeId }: CommandOrder, cause: ErrorInfo | null): ErrorInfo {
  const error = { type: 'DEADLINE', message: 'The command was not done before its deadline', nodeId };
  return cause === null ? error : { ...error, cause };
}
