/**
 * Values that are kept outside the history stay with their run: what leaves it for another has to be there itself.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { RunError } from '../definitions/errors.ts';
import { findKept } from '../definitions/json/kept-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Json } from '../definitions/types.ts';

/** @throws RunError `PAYLOAD_TOO_LARGE` where a value goes to another run, and is not here */
export function mustBeWhole(what: string, value: Json): void {
  const fault = notWhole(what, value);
  if (fault !== null) throw new RunError('PAYLOAD_TOO_LARGE', fault.message, fault.details);
}

/** The same as an error; `null`: it is all there. */
export function notWhole(what: string, value: Json): Pick<ErrorInfo, 'type' | 'message' | 'details'> | null {
  const kept = findKept(value);
  if (kept === null) return null;
  const { bytes } = kept;
  const limit = LIMITS.valueBytes;
  const message = `The ${what} holds a value of ${bytes} bytes that is kept outside the history, which another run cannot read; the limit is ${limit}`;
  return { type: 'PAYLOAD_TOO_LARGE', message, details: { bytes, limit } };
}
