/**
 * The wait between two attempts of a command, with jitter: one formula for workers and the simulator.
 *
 * What it is not: the policy or the draw. Temporal keeps the one; where the other comes from is the caller's business.
 */

/** A retry policy in milliseconds. */
export interface Backoff {
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maxIntervalMs: number;
  /** Share of the interval, 0 to 1, by which the wait may be longer or shorter. */
  readonly jitter: number;
}

/**
 * Whole milliseconds, at least 1, behind attempt number `attempt` (from 1): between `interval × (1 − jitter)` and
 * `interval × (1 + jitter)`, and never above the longest interval. There the whole range moves down, so that attempts
 * stay spread.
 *
 * @param draw From 0 up to, but not, 1.
 */
export function jitteredMs(backoff: Backoff, attempt: number, draw: number): number {
  const { initialIntervalMs, backoffCoefficient, maxIntervalMs, jitter } = backoff;
  const grown = initialIntervalMs * backoffCoefficient ** (attempt - 1);
  const middle = Math.min(grown, maxIntervalMs / (1 + jitter));
  return Math.max(1, Math.round(middle * (1 + jitter * (2 * draw - 1))));
}
