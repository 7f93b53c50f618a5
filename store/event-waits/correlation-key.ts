/**
 * The key by which a wait and the events that it means find each other: a hash of paths and the values at them.
 *
 * Invariants:
 * 1. An event has the key of a wait exactly when all values are equal, type included (`definitions/correlation.ts`).
 * 2. The paths are in the key, so waits that compare different paths never share one.
 */
import type { Correlation } from '../../definitions/correlation.ts';
import { knownPath } from '../../definitions/json/known-paths.ts';
import { valueAt } from '../../definitions/json/path.ts';
import { compareText } from '../../definitions/text-order.ts';
import type { CloudEvent, Json } from '../../definitions/types.ts';
import { sha256 } from '../definition-hash.ts';

/** The paths of a wait as one text, however they were written and in whatever order, and its key. */
export function keyOfWait(correlation: Correlation): { readonly paths: string; readonly key: string } {
  const entries = Object.entries(correlation)
    .map(([path, value]) => ({ ...knownPath(path), value }))
    .sort((one, other) => compareText(one.id, other.id));
  const paths = JSON.stringify(entries.map(({ keys }) => keys));
  return {
    paths,
    key: keyOf(
      paths,
      entries.map(({ value }) => value),
    ),
  };
}

/** The key of an event for waits that compare `paths`; `null`: it has no scalar at one of them, and is meant by none. */
export function keyOfEvent(paths: string, event: CloudEvent): string | null {
  const values: Json[] = [];
  for (const keys of JSON.parse(paths) as string[][]) {
    const value = valueAt(event as unknown as Json, keys);
    if (value === undefined || (typeof value === 'object' && value !== null)) return null;
    values.push(value);
  }
  return keyOf(paths, values);
}

function keyOf(paths: string, values: readonly Json[]): string {
  return sha256(JSON.stringify([paths, values]));
}
