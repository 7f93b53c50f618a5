/**
 * The article's form of a failure: what a handler may return in place of throwing, `{ success: false, error }`. It fails
 * the command without retry as `COMMAND_FAILED` (`docs/language.md`, section 6), in a worker as in the simulator.
 */
import type { Json } from './types.ts';

/** Message and details of a `COMMAND_FAILED`. */
export interface ReportedFailure {
  readonly message: string;
  readonly details?: Json;
}

/** The failure that a result reports, `null` where it reports none. */
export function reportedFailure(result: unknown): ReportedFailure | null {
  if (typeof result !== 'object' || result === null || !('success' in result) || !('error' in result)) return null;
  return result.success === false ? failureOf(result.error) : null;
}

/** What an `error` says: a text, an error, or an object with a `message`. An object is kept as details. */
export function failureOf(error: unknown): ReportedFailure {
  if (typeof error === 'string' && error !== '') return { message: error };
  if (typeof error !== 'object' || error === null) return { message: NO_REASON };
  const said = 'message' in error ? error.message : undefined;
  const message = typeof said === 'string' && said !== '' ? said : NO_REASON;
  // Whether it is JSON is seen where the failure is bounded.
  return error instanceof Error ? { message } : { message, details: error as Json };
}

const NO_REASON = 'the handler reported a failure and gave no reason';
