/**
 * Reads the commonest CEL filters without CEL: `event.data.kind == "x" && event.data.size >= 50 && …`.
 *
 * Why: an index of a million filters cannot keep a million compiled plans, and compiling one takes as long as a hundred
 * of these checks. Equalities found here are hashed like those of `filters`.
 *
 * What it is not: a second CEL. It takes what it surely understands from the front of the text and leaves the rest.
 *
 * Invariants:
 * 1. Where the expression gives `true`, all conditions hold; where `whole` is set, the converse holds too.
 * 2. Whatever is not exactly of the plain form (escapes, calls, brackets, order of texts) is left to CEL.
 */
import { RESERVED_WORDS } from '../expressions/reserved-words.ts';
import { LIMITS } from '../limits.ts';
import { valueAt } from '../json/path.ts';
import type { Json, Scalar } from '../types.ts';

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** `event.data.<keys> <operator> <literal>`. */
export interface PlainCondition {
  readonly keys: readonly string[];
  readonly operator: Operator;
  /** A number where the operator is one of order. */
  readonly literal: Scalar;
}

export interface PlainFilter {
  readonly conditions: readonly PlainCondition[];
  /** Whether the conditions are the whole expression. */
  readonly whole: boolean;
}

/** Groups: keys, operator, text in double or single quotes, number, word; then `&&` or the end. */
const CONDITION = new RegExp(
  [
    /event\.data((?:\.[A-Za-z_][A-Za-z0-9_]*)+)/,
    /(==|!=|<=|>=|<|>)/,
    /(?:"([^"\\\n\r]*)"|'([^'\\\n\r]*)'|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?)|(true|false|null))/,
    /(&&|$)/,
  ]
    .map((part) => `[\\t\\n\\f\\r ]*${part.source}`)
    .join(''),
  'y',
);

const NOTHING: PlainFilter = { conditions: [], whole: false };

export function readPlainFilter(text: string): PlainFilter {
  if (text.length > LIMITS.expressionLength) return NOTHING;
  const conditions: PlainCondition[] = [];
  let offset = 0;
  while (offset < text.length) {
    CONDITION.lastIndex = offset;
    const found = CONDITION.exec(text);
    const condition = found === null ? null : conditionOf(found);
    if (found === null || condition === null) break;
    conditions.push(condition);
    offset = CONDITION.lastIndex;
    if (found[7] === '') return { conditions, whole: true };
  }
  // `a && b || c` is `(a && b) || c`: then `a` need not hold.
  return mayHaveAlternative(text.slice(offset)) ? NOTHING : { conditions, whole: false };
}

/** Whether an event's data meets every condition. */
export function conditionsHold(conditions: readonly PlainCondition[], data: Json): boolean {
  return conditions.every(({ keys, operator, literal }) => {
    const actual = valueAt(data, keys);
    if (operator === '==') return actual === literal;
    if (operator === '!=') return actual !== undefined && actual !== literal;
    return typeof actual === 'number' && typeof literal === 'number' && isOrdered(actual, operator, literal);
  });
}

function isOrdered(left: number, operator: Operator, right: number): boolean {
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

function conditionOf(found: RegExpExecArray): PlainCondition | null {
  const keys = (found[1] ?? '').slice(1).split('.');
  const operator = found[2] as Operator;
  const literal = literalOf(found);
  if (literal === undefined || keys.some((key) => RESERVED_WORDS.has(key))) return null;
  const isOfOrder = operator !== '==' && operator !== '!=';
  return isOfOrder && typeof literal !== 'number' ? null : { keys, operator, literal };
}

function literalOf([, , , double, single, number, word]: RegExpExecArray): Scalar | undefined {
  if (number !== undefined) return Math.abs(Number(number)) <= Number.MAX_SAFE_INTEGER ? Number(number) : undefined;
  if (word !== undefined) return JSON.parse(word) as Scalar;
  return double ?? single;
}

/** Whether `||` or `?` may stand outside all brackets. Text that takes more than a glance to read may have one. */
function mayHaveAlternative(text: string): boolean {
  if (/\\|"""|'''|\/\//.test(text)) return true;
  const bare = text.replace(/"[^"\n\r]*"|'[^'\n\r]*'/g, '');
  if (/["']/.test(bare)) return true;
  let depth = 0;
  for (const [token] of bare.matchAll(/[([{]|[)\]}]|\|\||\?/g)) {
    if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth -= 1;
    else if (depth <= 0) return true;
  }
  return false;
}
