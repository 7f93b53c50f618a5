/**
 * The one error class that Fermata throws at callers: a stable `code`, typed `details`, no payloads nor secrets in its text.
 *
 * What it is not: an error of a run or node; those are {@link ErrorInfo} and route or end the run.
 */
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import type { Json } from './types.ts';

/** A {@link FermataError} as `--json` and HTTP print it. */
export interface ErrorDocument {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Json;
}

/**
 * @example
 * throw new FermataError('run.not_found', 'no run has the id "order/7"', { runId: 'order/7' });
 */
export class FermataError extends Error {
  override readonly name = 'FermataError';
  readonly code: ErrorCode;
  /** Plain data about the fault; its shape belongs to the code. `null` where there is none. */
  readonly details: Json;
  /** Whether the same call may succeed later with nothing changed by the caller. */
  readonly retryable: boolean;

  // oxlint-disable-next-line max-params -- code and details stand around what every Error takes
  constructor(code: ErrorCode, message: string, details: Json = null, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.details = details;
    this.retryable = ERROR_CODES[code].retryable;
  }

  toJSON(): ErrorDocument {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Whether a thrown value is a {@link FermataError}, from this copy of the package or another: told by its fields. */
export function isFermataError(error: unknown): error is FermataError {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'FermataError' && typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}
