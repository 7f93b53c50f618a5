/** What stands in the place of a value that `redact` hides. */
export const MASK = '[redacted]';
