/**
 * Causes of errors, kept short: a loop that fails for ever must not grow the state.
 */
import type { ErrorInfo } from '../definitions/errors.ts';

/** How many an error keeps, one in the other. */
const CAUSES = 5;

/** An error with the one before it as its cause, unless it has one of its own. */
export function withCause(error: ErrorInfo, before: ErrorInfo | null): ErrorInfo {
  const cause = error.cause ?? before;
  return cause ? { ...error, cause: asCause(cause) } : error;
}

/** Details may be large; of a cause, type and message are enough. */
export function asCause({ type, message, nodeId, cause }: ErrorInfo, depth = CAUSES): ErrorInfo {
  const rest = cause && depth > 1 ? { cause: asCause(cause, depth - 1) } : {};
  return { type, message, nodeId, ...rest };
}
