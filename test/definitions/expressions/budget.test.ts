/** No expression takes long, whatever it is and whatever its data: it fails at the same step everywhere. */
import { describe, expect, test } from 'vitest';
import {
  compileExpression,
  compileTemplate,
  ExpressionSyntaxError,
  Meter,
} from '../../../definitions/expressions/index.ts';
import { LIMITS } from '../../../definitions/limits.ts';
import type { Json } from '../../../definitions/types.ts';
import { errorOf, evaluate, fill } from './evaluate.ts';

/** As much data as comes in by the door. */
const input = {
  thousand: Array.from({ length: 1000 }, (_, at) => at),
  many: Array.from({ length: 40_000 }, (_, at) => at),
  keys: Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`k${at}`, at])),
  text: 'a'.repeat(LIMITS.inputBytes),
  needle: `${'a'.repeat(60_000)}b${'a'.repeat(60_000)}`,
  words: Array.from({ length: 1000 }, () => 'x'.repeat(250)),
};

describe('runaway expressions end with the budget', () => {
  test.each([
    'input.thousand.all(a, input.thousand.all(b, input.thousand.all(c, a + b + c >= 0)))',
    'input.thousand.exists(a, input.thousand.exists(b, input.thousand.exists(c, false)))',
    'input.thousand.exists(a, input.thousand.all(b, input.thousand.all(c, true))) || true',
    'input.many.map(x, x)',
    'input.many.exists(x, x.foo == 1 || y == 2)',
    'input.thousand.all(x, input.many.exists(y, true))',
    'input.thousand.all(x, input.keys.exists(y, true))',
    'input.thousand.all(x, size(input.keys) > 0)',
    'input.thousand.all(x, size(input.text) > 0)',
    'input.thousand.all(x, input.many == input.many.map(y, y))',
    'input.thousand.all(x, !(-1 in input.many))',
    'input.thousand.map(x, input.many + input.many)',
    'input.thousand.map(x, input.text + input.text)',
    'input.text.replace("a", input.text)',
    'input.text.replace("a", "bb").replace("b", "cc").replace("c", "dd")',
    'input.words.join(input.text)',
    'input.text.split("")',
    'input.text.contains(input.needle)',
    'input.text.indexOf(input.needle)',
    'input.text.lastIndexOf(input.needle)',
    'input.text.matches("^(a+)+$")',
    'input.words.all(x, x.matches("(x+x+)+y") == false)',
    'input.thousand.map(x, "a".matches("a{1,50}" + string(x)))',
    '"%s%s".format([input.keys, input.many])',
    'input.thousand.map(x, "%s".format([input.keys]))',
    'input.thousand.all(x, bytes(input.text) != b"")',
    'input.thousand.all(x, input.text.upperAscii() != "")',
    `input.thousand.map(x, [${Array(700).fill('x').join(',')}])`,
    `input.thousand.map(x, ${Array(120).fill('x + x * x').join(' + ')})`,
  ])('%s', (expression) => {
    const meter = new Meter();
    const error = errorOf(() => compileExpression(expression).evaluate({ input }, meter));
    expect(error.message).toContain(`more than ${LIMITS.expressionSteps} steps`);
    expect(meter.used).toBe(LIMITS.expressionSteps);
  });
});

describe('results that no payload could carry are refused', () => {
  test.each([
    'input.thousand.map(x, input.thousand)',
    'input.thousand.map(x, input.text)',
    '[input.text, input.text, input.text, input.text, input.text]',
  ])('%s', (expression) => {
    const error = errorOf(() => evaluate(expression, { input }));
    expect(error).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', details: { limit: LIMITS.valueBytes } });
    expect(error.message).toMatch(/too (many values|large)/);
  });

  test('also when many small expressions of a template build them', () => {
    const template: Json = Array.from({ length: 100 }, () => '${input.text}');
    expect(errorOf(() => fill(template, { input }))).toMatchObject({
      type: 'PAYLOAD_TOO_LARGE',
      details: { pointer: expect.stringMatching(/^\/\d+$/) },
    });
    expect(errorOf(() => fill('${input.text}'.repeat(100), { input })).message).toContain('too large');
  });
});

test('ordinary work on ordinary data is far below the budget', () => {
  const meter = new Meter();
  const orders = Array.from({ length: 1000 }, (_, at) => ({ id: `o${at}`, price: at, email: `u${at}@example.org` }));
  const sum = compileExpression(
    'input.orders.filter(o, o.price > 500 && o.id != "o7").map(o, {"id": o.id, "total": o.price * 2})',
  );
  expect((sum.evaluate({ input: { orders } }, meter) as Json[]).length).toBe(499);
  expect(meter.used).toBeLessThan(LIMITS.expressionSteps / 2);
  expect(evaluate('input.orders.all(o, o.email.matches("^[^@]+@example[.]org$"))', { input: { orders } })).toBe(true);
});

test('the same evaluation costs the same number of steps every time, from caches or not', () => {
  const costs = ['a', 'b', 'b'].map((suffix) => {
    const meter = new Meter();
    compileExpression(`input.words.exists(w, w.matches("${suffix}" + "x*"))`).evaluate(
      { input: { words: ['c', 'd'] } },
      meter,
    );
    return meter.used;
  });
  expect(new Set(costs).size).toBe(1);
});

describe('what an evaluation gives is paid for by its size, however it was named', () => {
  test.each([
    ['input.text', LIMITS.inputBytes / 128],
    ['true ? input.text : ""', LIMITS.inputBytes / 128],
    ['input.many', 40_000 / 16],
    ['input', 2 * (LIMITS.inputBytes / 128)],
  ])('%s', (expression, steps) => {
    for (const evaluable of [compileExpression(expression), compileTemplate(`\${${expression}}`)]) {
      const meter = new Meter();
      evaluable.evaluate({ input }, meter);
      expect(meter.used).toBeGreaterThanOrEqual(steps);
    }
  });

  test('and for nothing more where it is small', () => {
    const meter = new Meter();
    compileTemplate('${input.thousand[1]}').evaluate({ input }, meter);
    expect(meter.used).toBe(1);
  });

  test('it is never refused for it: size has a limit of its own', () => {
    const most = Array.from({ length: LIMITS.valueBytes / 2 - 1 }, () => 0);
    expect(evaluate('input.most', { input: { most } })).toBe(most);
  });
});

test('every evaluation has a budget of its own, and a meter sums them', () => {
  const meter = new Meter();
  const loop = compileExpression('input.thousand.all(x, x >= 0)');
  for (let count = 0; count < 20; count += 1) expect(loop.evaluate({ input }, meter)).toBe(true);
  expect(meter.used).toBeGreaterThan(LIMITS.expressionSteps);
});

describe('text that is too long or too deep is refused before it is parsed', () => {
  const deep = LIMITS.expressionDepth + 1;
  test.each([
    ['length', `"${'a'.repeat(LIMITS.expressionLength)}"`],
    ['round brackets', `${'('.repeat(deep)}1${')'.repeat(deep)}`],
    ['square brackets', `${'['.repeat(deep)}1${']'.repeat(deep)}`],
    ['braces', `${'{1:'.repeat(deep)}1${'}'.repeat(deep)}`],
    ['mixed brackets', `${'[('.repeat(deep)}1${')]'.repeat(deep)}`],
    ['unclosed brackets', '('.repeat(4000)],
    ['calls', `${'size('.repeat(deep)}1${')'.repeat(deep)}`],
    ['sums', `1${'+1'.repeat(2000)}`],
    ['comparisons', `1${'<1'.repeat(2000)}`],
    ['conditions', `${'a?b:'.repeat(1000)}c`],
    ['fields', `a${'.b'.repeat(2000)}`],
  ])('%s', (_, text) => {
    const error = errorOf(() => compileExpression(text));
    expect(error).toBeInstanceOf(ExpressionSyntaxError);
    expect(error.message).toMatch(/too deeply|at most 4096 characters/);
  });

  test('brackets inside strings and comments do not count', () => {
    expect(evaluate(`"${'('.repeat(1000)}" == r'x' // ${'['.repeat(1000)}`)).toBe(false);
  });

  test('the limits themselves are still allowed', () => {
    const depth = LIMITS.expressionDepth;
    expect(evaluate(`${'('.repeat(depth)}1${')'.repeat(depth)}`)).toBe(1);
    expect(evaluate(`"${'a'.repeat(LIMITS.expressionLength - 2)}"`)).toHaveLength(LIMITS.expressionLength - 2);
  });
});
