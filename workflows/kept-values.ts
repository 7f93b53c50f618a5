/**
 * What a hand-written workflow takes and gives has to be there itself: it knows nothing of values that are kept outside.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { RunError } from '../definitions/errors.ts';
import { findKept } from '../definitions/json/kept-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Json } from '../definitions/types.ts';

/** @throws RunError `PAYLOAD_TOO_LARGE` where a part of `value` is not here */
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
  const message = `The ${what} holds a value of ${bytes} bytes that is kept outside the history, which a hand-written workflow cannot read; the limit is ${limit}`;
  return { type: 'PAYLOAD_TOO_LARGE', message, details: { bytes, limit } };
}
