/**
 * Keys of the hash look-up: one value of a `Map` for the values of a set of fields.
 *
 * Invariants:
 * 1. Two lists of scalars of one length have the same key only when they are equal value by value, type included:
 *    `5`, `"5"`, `true` and `null` never meet, whatever a text holds.
 * 2. Keys of different lengths are never in one map: a set of fields has a map of its own.
 */
import type { Scalar } from '../types.ts';

/** A scalar stands for itself (a `Map` tells types apart); several become one text. */
export type LookupKey = Scalar;

/** The key of `values`; `null` for none. */
export function lookupKey(values: readonly Scalar[]): LookupKey {
  if (values.length <= 1) return values[0] ?? null;
  let key = '';
  for (const value of values) key += tagged(value);
  return key;
}

/** The keys of every way to take one value of each list: none, where a list is empty. */
export function lookupKeys(lists: readonly (readonly Scalar[])[]): LookupKey[] {
  let tuples: Scalar[][] = [[]];
  for (const list of lists) {
    tuples = tuples.flatMap((tuple) => list.map((value) => [...tuple, value]));
  }
  return tuples.map(lookupKey);
}

/** A text goes with its length in front, so that no text can end early or reach into the next value. */
function tagged(value: Scalar): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  return typeof value === 'number' ? `n${value};` : `${value};`;
}
