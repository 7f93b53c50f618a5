/**
 * Correlation: which events a waiting run means, by values at paths of the event's envelope.
 *
 * Invariants:
 * 1. All must be equal, type included, as in filters: `5` is not `"5"`. A path that is missing is equal to nothing.
 */
import { knownPath } from './json/known-paths.ts';
import { valueAt } from './json/path.ts';
import type { CloudEvent, Json, Scalar } from './types.ts';

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
  const what = types.length === 1 ? `the event ${types[0]}` : `one of the events ${types.join(', ')}`;
  const values = Object.entries(correlation).map(([path, value]) => `${path} ${JSON.stringify(value)}`);
  return values.length === 0 ? what : `${what} with ${values.join(' and ')}`;
}
