/**
 * Regular expressions of `matches`: RE2, whose time is linear in the text whatever the pattern says.
 *
 * Invariants:
 * 1. Linear is not free: a pattern pays for its length when it is compiled, a text for every character matched.
 * 2. What a pattern expands to is bounded before it is compiled: repetitions multiply when they nest.
 */
import { RE2JS } from '@bufbuild/re2';
import { chargeText } from './budget.ts';
import { RecentCache } from './recent-cache.ts';

const MAX_LENGTH = 500;
/** Copies of its parts that a pattern may expand to. */
const MAX_REPETITIONS = 200;
/** Cost of matching one character, in characters read. */
const COST_PER_CHARACTER = 32;
const COST_OF_COMPILING = 2560;
const COST_PER_PATTERN_CHARACTER = 256;
const CACHED_PATTERNS = 200;

const compiled = new RecentCache<RE2JS>(CACHED_PATTERNS);

/** Whether any part of `text` matches a pattern that is known only now. @throws Error @throws BudgetSpent */
export function matches(text: string, pattern: string): boolean {
  // Paid for whether or not the pattern is in the cache: the same run costs the same everywhere.
  chargeText(COST_OF_COMPILING + pattern.length * COST_PER_PATTERN_CHARACTER);
  return matchesConstant(text, pattern);
}

/** Whether any part of `text` matches a pattern that stands in the expression and was compiled with it. @throws BudgetSpent */
export function matchesConstant(text: string, pattern: string): boolean {
  chargeText(text.length * COST_PER_CHARACTER);
  return compilePattern(pattern).test(text);
}

/** @throws Error for what is not a pattern, or expands too far. */
export function compilePattern(pattern: string): RE2JS {
  return compiled.get(pattern, compile);
}

function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_LENGTH) throw new Error(`a pattern has at most ${MAX_LENGTH} characters`);
  if (repetitions(pattern) > MAX_REPETITIONS)
    throw new Error(`the repetitions of a pattern are at most ${MAX_REPETITIONS} in all`);
  return RE2JS.compile(pattern);
}

/**
 * How many copies `{n,m}` makes at most. Sums over the pattern, products over nested groups; an upper bound, since it
 * takes every brace for a repetition, also an escaped one.
 */
function repetitions(pattern: string): number {
  const sums = [0];
  let lastGroup = 0;
  for (const [token, , , high] of pattern.matchAll(/\(|\)|\{(\d+)(,(\d*))?\}/g)) {
    if (token === '(') {
      sums.push(0);
    } else if (token === ')' && sums.length > 1) {
      lastGroup = sums.pop() ?? 0;
      sums.push((sums.pop() ?? 0) + lastGroup);
    } else if (token.startsWith('{')) {
      const count = Math.max(Number(/\d+/.exec(token)?.[0]), Number(high ?? 0));
      sums.push((sums.pop() ?? 0) + count + lastGroup * count);
    }
    if (token !== ')') lastGroup = 0;
  }
  return sums.reduce((sum, part) => sum + part, 0);
}
