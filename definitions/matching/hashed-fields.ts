/**
 * Which fields of a trigger go into the hash tables of the index: those that an event must equal in one of few values.
 *
 * What it is not: the tests themselves; those are `filters.ts` and the expression of `filter`.
 *
 * Invariants:
 * 1. A trigger holds only for events whose hashed fields each have one of their values: hashing never loses a match.
 * 2. A trigger has at most {@link MAX_KEYS} keys; fields that would make it more are asked instead.
 * 3. The same trigger always has the same fields, so that what was added can be found again.
 */
import { equalityValues } from '../filters.ts';
import { knownPath } from '../json/known-paths.ts';
import type { Filters, FilterTest, Scalar } from '../types.ts';
import { readPlainFilter } from './plain-filter.ts';

/** The keys that one trigger may put into the index: the product of the lengths of its one-of lists. */
export const MAX_KEYS = 128;

/** A field of `event.data` that must have one of `values`. */
export interface HashedField {
  /** The path as `filters` writes it; `null`: the field is one of the expression. */
  readonly text: string | null;
  readonly path: readonly string[];
  /** The path as one text, the same however it was written. */
  readonly id: string;
  /** Without doubles; empty: the trigger never holds. */
  readonly values: readonly Scalar[];
  /** Whether being one of these values is all that the filter of this path asks. */
  readonly complete: boolean;
}

/** The fields to hash, one per path, by id. @throws RunError `EXPRESSION_ERROR` for text that is no path. */
export function hashedFields(filters: Filters, filter: string | null): HashedField[] {
  const hashed = new Map<string, HashedField>();
  for (const [text, test] of Object.entries(filters)) {
    const { keys, id } = knownPath(text);
    const values = equalityValues(test);
    // One path written in two ways: the second is asked.
    if (values === null || hashed.has(id)) continue;
    hashed.set(id, { text, path: keys, id, values: [...new Set(values)], complete: isEqualityOnly(test) });
  }
  for (const { keys, operator, literal } of filter === null ? [] : readPlainFilter(filter).conditions) {
    const id = JSON.stringify(keys);
    if (operator !== '==' || hashed.has(id)) continue;
    hashed.set(id, { text: null, path: keys, id, values: [literal], complete: false });
  }
  return withinLimit([...hashed.values()]).sort(byId);
}

/** Fields of one value first, then the shortest lists, as long as the keys stay few. */
function withinLimit(fields: HashedField[]): HashedField[] {
  let keys = 1;
  const taken: HashedField[] = [];
  for (const field of fields.sort((left, right) => left.values.length - right.values.length)) {
    keys *= field.values.length;
    if (keys > MAX_KEYS) break;
    taken.push(field);
  }
  return taken;
}

/** For a test that has equality values: whether it asks nothing beside them. */
function isEqualityOnly(test: FilterTest): boolean {
  return typeof test !== 'object' || test === null || Array.isArray(test) || Object.keys(test).length === 1;
}

function byId(left: HashedField, right: HashedField): number {
  return left.id < right.id ? -1 : 1;
}
