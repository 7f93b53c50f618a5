/**
 * What the worker tells of an attempt as it begins and ends, for projections and metrics.
 *
 * What it is not: the truth, which is the history. An attempt whose worker dies tells no end, and a local one that ended
 * may be repeated.
 */
import type { Attempt } from './attempt.ts';

export interface AttemptReport extends Attempt {
  /** `failed` also for an attempt that was cancelled (error type `CANCELLED`). */
  readonly phase: 'started' | 'succeeded' | 'failed';
  /** Milliseconds since 1970, of this worker's clock. */
  readonly at: number;
  /** Of a failed attempt, masked and cut. */
  readonly error: { readonly type: string; readonly message: string } | null;
  /** Of a failed attempt: whether another one follows; `null` where only the server knows (cancelled, timed out, shutdown). */
  readonly willRetry: boolean | null;
}

export type AttemptListener = (report: AttemptReport) => void;
