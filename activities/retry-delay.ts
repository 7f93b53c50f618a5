/**
 * The wait before the next attempt, with jitter drawn here in the worker: what a workflow draws, replay must repeat.
 *
 * What it is not: the policy itself, which Temporal keeps; a server that retries by itself (after a timeout or a killed
 * worker) waits without jitter.
 */
import type { Info } from '@temporalio/activity';
import { jitteredMs } from '../definitions/backoff.ts';

export interface JitterOptions {
  /** Share of the interval, 0 to 1, by which the wait may be longer or shorter. */
  readonly jitter: number;
  /** From 0 up to, but not, 1. */
  readonly random: () => number;
}

/** Milliseconds, as {@link jitteredMs} gives them; `undefined`: let the policy decide. */
export function jitteredDelayMs(info: Info, { jitter, random }: JitterOptions): number | undefined {
  const policy = info.retryPolicy;
  const first: unknown = policy?.initialInterval;
  if (jitter === 0 || typeof first !== 'number') return undefined;
  const maxIntervalMs = typeof policy?.maximumInterval === 'number' ? policy.maximumInterval : 100 * first;
  const backoffCoefficient = policy?.backoffCoefficient ?? 2;
  const backoff = { initialIntervalMs: first, backoffCoefficient, maxIntervalMs, jitter };
  return jitteredMs(backoff, info.attempt, random());
}

/** Whether the server will make another attempt after a failure of this type. */
export function willRetry(info: Info, failure: { readonly type: string; readonly retryable: boolean }): boolean {
  const most = info.retryPolicy?.maximumAttempts ?? 0;
  const refused = info.retryPolicy?.nonRetryableErrorTypes?.includes(failure.type) ?? false;
  return failure.retryable && !refused && (most === 0 || info.attempt < most);
}
