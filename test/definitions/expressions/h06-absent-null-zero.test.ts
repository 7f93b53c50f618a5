/** Case H06: missing, null, zero and "5". */
import { describe, expect, test } from 'vitest';
import { errorOf, evaluate } from './evaluate.ts';

const ERROR = 'EXPRESSION_ERROR';
const V = {
  V1: {},
  V2: { score: null },
  V3: { score: 0 },
  V4: { score: '5' },
  V5: { score: 5 },
} as const;

/** Per condition, what comes out for V1 to V5. */
const TABLE: Readonly<Record<string, readonly (boolean | string)[]>> = {
  'has(vars.score)': [false, true, true, true, true],
  '"score" in vars': [false, true, true, true, true],
  'vars.score == null': [ERROR, true, false, false, false],
  'vars.score != null': [ERROR, false, true, true, true],
  'vars.score > 3': [ERROR, ERROR, false, ERROR, true],
  'vars.score >= 3': [ERROR, ERROR, false, ERROR, true],
  'vars.score < 3': [ERROR, ERROR, true, ERROR, false],
  'vars.score == 5': [ERROR, false, false, false, true],
  'vars.score != 5': [ERROR, true, true, true, false],
  '5 == vars.score': [ERROR, false, false, false, true],
  'vars.score == "5"': [ERROR, false, false, true, false],
  'has(vars.score) && vars.score == 5': [false, false, false, false, true],
  'get(vars, "score", 0) == 5': [false, false, false, false, true],
};

describe.each(Object.entries(TABLE))('%s', (condition, row) => {
  test.each(Object.entries(V).map(([name, vars], at) => [name, vars, row[at]] as const))(
    'is as H06 says for %s',
    (_, vars, expected) => {
      if (expected === ERROR) expect(errorOf(() => evaluate(condition, { vars })).type).toBe(ERROR);
      else expect(evaluate(condition, { vars })).toBe(expected);
    },
  );
});

test('the text "false" is not the boolean', () => {
  expect(evaluate('vars.flag == true', { vars: { flag: 'false' } })).toBe(false);
  expect(errorOf(() => evaluate('vars.flag ? 1 : 2', { vars: { flag: 'false' } })).type).toBe(ERROR);
  expect(errorOf(() => evaluate('vars.flag && true', { vars: { flag: 'false' } })).type).toBe(ERROR);
});

test('reading deep into nothing is one error that says where the path ended', () => {
  const error = errorOf(() => evaluate('vars.a.b.c', { vars: {} }));
  expect(error.message).toContain('field not found: a in vars');
  expect(error.details).toEqual({ expression: 'vars.a.b.c', offset: 4 });
});

test('reading through null says so', () => {
  expect(errorOf(() => evaluate('vars.score.high', { vars: V.V2 })).message).toContain(
    'vars.score is null, it has no high',
  );
});

test('an error names the expression and the position, also inside a loop', () => {
  const error = errorOf(() => evaluate('input.map(x, x.price * 2)', { input: [{ price: 1 }, {}] }));
  expect(error.message).toContain('price');
  expect(error.details).toEqual({ expression: 'input.map(x, x.price * 2)', offset: 14 });
});

test('an integer given as text converts only when asked to, and only when it is one', () => {
  expect(evaluate('int(vars.score) == 5', { vars: V.V4 })).toBe(true);
  for (const text of ['""', '" "', '"5 "', '"0x10"', '"abc"', '"99999999999999999999"', '"1e3"']) {
    expect(errorOf(() => evaluate(`int(${text})`)).type).toBe(ERROR);
  }
  for (const text of ['""', '" "', '"abc"', '"0x10"', '"1_000"']) {
    expect(errorOf(() => evaluate(`double(${text})`)).type).toBe(ERROR);
  }
});
