/**
 * Text for columns that PostgreSQL searches. The whole, untouched value stands in the `json` column beside it.
 *
 * Why: templates, handlers and raw signals may give text with U+0000 or half of a surrogate pair, which `text` cannot
 * hold, or longer than an index row may be; any of them would make one line refuse a whole batch of records.
 *
 * Invariant: whoever searches such a column asks for `indexText` of what is looked for.
 */
const LONGEST = 512;
/** With the u flag the range matches only a surrogate without its partner. */
const UNHOLDABLE = /[\0\ud800-\udfff]/gu;

/** `value` cut to 512 UTF-16 units, with U+FFFD for what PostgreSQL cannot hold. */
export function indexText(value: string): string {
  return value.slice(0, LONGEST).replace(UNHOLDABLE, '\uFFFD');
}
