/**
 * Text for columns that PostgreSQL searches. The whole, untouched value stands in the `json` column beside it.
 *
 * Why: templates and handlers may give text with U+0000, which `text` cannot hold, or longer than an index row may be;
 * either would make one line refuse a whole batch of records.
 */
const LONGEST = 512;

/** `value` without U+0000, at most 512 characters. */
export function indexText(value: string): string {
  return value.slice(0, LONGEST).replaceAll('\0', '\uFFFD');
}
