/**
 * Correlation: which events a waiting run means, by values at paths of the event's envelope.
 *
 * Invariants:
 * 1. All must be equal, type included, as in filters: `5` is not `"5"`. A path that is missing is equal to nothing.
 */
import { knownPath } from './json/known-paths.ts';
import { valueAt } from './json/path.ts';
import type { CloudEvent, Json, Scalar } from './types.ts';

const MOST_SHOWN = 10;
const LONGEST_SHOWN = 200;

/** Paths relative to the event's envelope, such as `data.orderId`, and the values that they must have. */
export type Correlation = { readonly [path: string]: Scalar };

/** What an event has at the paths of a correlation; only scalars can be equal to anything. */
export function correlates(correlation: Correlation, event: CloudEvent): boolean {
  return Object.entries(correlation).every(
    ([path, wanted]) => valueAt(event as unknown as Json, knownPath(path).keys) === wanted,
  );
}

/** The same in words: `the event payment.settled with data.orderId "O-7"`. */
export function eventInWords(types: readonly string[], correlation: { readonly [path: string]: Json }): string {
  const what = types.length === 1 ? `the event ${types[0]}` : `one of the events ${firstOf(types)}`;
  const values = Object.entries(correlation).map(([path, value]) => `${path} ${shown(value)}`);
  return values.length === 0 ? what : `${what} with ${firstOf(values, ' and ')}`;
}

function firstOf(parts: readonly string[], glue = ', '): string {
  const rest = parts.length > MOST_SHOWN ? `${glue}${parts.length - MOST_SHOWN} more` : '';
  return `${parts.slice(0, MOST_SHOWN).join(glue)}${rest}`;
}

/** A long text is not cut: the part that is left could not be told as what `redact` hides. */
function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_SHOWN ? text : `a text of ${text.length - 2} characters`;
}
