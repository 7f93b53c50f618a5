/**
 * Trigger filters: plain tests on the paths of an event's data (`docs/language.md`, section 3).
 *
 * Invariants:
 * 1. All tests must hold. A missing path holds only for `exists: false`, `ne` and `notIn`.
 * 2. No casts: values of different JSON types are not equal, and order between them does not hold.
 * 3. Text is ordered by code point, as in CEL.
 */
import { excerpt } from './excerpt.ts';
import { isList } from './json/json-kinds.ts';
import { knownPath } from './json/known-paths.ts';
import { valueAt } from './json/path.ts';
import { compareText } from './text-order.ts';
import type { FilterOperators, Filters, FilterTest, Json, Scalar } from './types.ts';

/** The first test that did not hold. `actual` is left out where the path is missing. */
export interface FilterMismatch {
  /** The path as the filter writes it. */
  readonly path: string;
  readonly test: FilterTest;
  readonly actual?: Json;
  /** One sentence for people. */
  readonly message: string;
}

type Operator = keyof FilterOperators;

const LONGEST_SHOWN = 80;
const MOST_SHOWN = 8;

/**
 * The first filter that `data` does not meet, in the order in which they are written; `null` when all hold.
 *
 * @throws RunError `EXPRESSION_ERROR` for a key that is no path; validation refuses such a definition.
 * @example
 * matchFilters({ source: 'Facebook', 'company.size': { gte: 50 } }, data)
 */
export function matchFilters(filters: Filters, data: Json): FilterMismatch | null {
  for (const [path, test] of Object.entries(filters)) {
    const actual = valueAt(data, knownPath(path).keys);
    const failed = failedOperator(test, actual);
    if (failed === null) continue;
    const wanted = WORDS[failed](toOperators(test)[failed] ?? null);
    const message = `${path} is ${actual === undefined ? 'absent' : shown(actual)}, not ${wanted}`;
    return actual === undefined ? { path, test, message } : { path, test, actual, message };
  }
  return null;
}

/** Whether one test holds for a value; `undefined` stands for a missing path. */
export function filterHolds(test: FilterTest, actual: Json | undefined): boolean {
  return failedOperator(test, actual) === null;
}

/** The values of which one must be equal for the test to hold, or `null` where the test asks for no equality. */
export function equalityValues(test: FilterTest): readonly Scalar[] | null {
  const { eq, in: list } = toOperators(test);
  return eq !== undefined ? [eq] : (list ?? null);
}

/** The test in operator form, so that there is one way to read it. */
function toOperators(test: FilterTest): FilterOperators {
  if (isScalarList(test)) return { in: test };
  return typeof test === 'object' && test !== null ? test : { eq: test };
}

/** The first operator that does not hold, `null` if all do. Words are not made here: an event asks this of many triggers. */
function failedOperator(test: FilterTest, actual: Json | undefined): Operator | null {
  if (typeof test !== 'object' || test === null) return actual === test ? null : 'eq';
  const operators = toOperators(test);
  const names = Object.keys(operators) as Operator[];
  // An empty object asks for nothing but presence; `definition.invalid_value` refuses it where it is written.
  if (names.length === 0) return actual === undefined ? 'exists' : null;
  for (const name of names) if (!OPERATORS[name](actual, operators[name] as Json)) return name;
  return null;
}

const WORDS: { readonly [O in Operator]: (wanted: Json) => string } = {
  eq: shown,
  ne: (wanted) => `other than ${shown(wanted)}`,
  gt: (wanted) => `more than ${shown(wanted)}`,
  gte: (wanted) => `at least ${shown(wanted)}`,
  lt: (wanted) => `less than ${shown(wanted)}`,
  lte: (wanted) => `at most ${shown(wanted)}`,
  in: (wanted) => `one of ${shownList(wanted)}`,
  notIn: (wanted) => `other than ${shownList(wanted)}`,
  exists: (wanted) => (wanted === false ? 'absent' : 'present'),
  prefix: (wanted) => `a text that begins with ${shown(wanted)}`,
  suffix: (wanted) => `a text that ends with ${shown(wanted)}`,
  contains: (wanted) => `a text or list that holds ${shown(wanted)}`,
};

const OPERATORS: { readonly [O in Operator]: (actual: Json | undefined, wanted: Json) => boolean } = {
  eq: (actual, wanted) => actual !== undefined && actual === wanted,
  ne: (actual, wanted) => actual !== wanted,
  gt: (actual, wanted) => order(actual, wanted) > 0,
  gte: (actual, wanted) => order(actual, wanted) >= 0,
  lt: (actual, wanted) => order(actual, wanted) < 0,
  lte: (actual, wanted) => order(actual, wanted) <= 0,
  in: (actual, wanted) => actual !== undefined && isList(wanted) && wanted.includes(actual),
  notIn: (actual, wanted) => actual === undefined || !isList(wanted) || !wanted.includes(actual),
  exists: (actual, wanted) => (actual !== undefined) === wanted,
  prefix: (actual, wanted) => typeof actual === 'string' && typeof wanted === 'string' && actual.startsWith(wanted),
  suffix: (actual, wanted) => typeof actual === 'string' && typeof wanted === 'string' && actual.endsWith(wanted),
  contains: (actual, wanted) => {
    if (typeof actual === 'string') return typeof wanted === 'string' && actual.includes(wanted);
    return isList(actual) && actual.includes(wanted);
  },
};

/** Negative, zero or positive; `NaN`, which no comparison accepts, where the two have no order. */
function order(actual: Json | undefined, wanted: Json): number {
  if (typeof actual === 'number' && typeof wanted === 'number') return actual - wanted;
  if (typeof actual === 'string' && typeof wanted === 'string') return compareText(actual, wanted);
  return Number.NaN;
}

function isScalarList(test: FilterTest): test is readonly Scalar[] {
  return Array.isArray(test);
}

/** A value for a message: scalars as JSON, cut; objects and lists only by kind, since they may be large. */
function shown(value: Json): string {
  if (typeof value === 'object' && value !== null) return isList(value) ? 'a list' : 'an object';
  return excerpt(JSON.stringify(value), LONGEST_SHOWN);
}

function shownList(values: Json): string {
  if (!isList(values) || values.length === 0) return 'an empty list';
  const rest = values.length > MOST_SHOWN ? ` and ${values.length - MOST_SHOWN} more` : '';
  return `${values.slice(0, MOST_SHOWN).map(shown).join(', ')}${rest}`;
}
