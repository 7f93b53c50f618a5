import { describe, expect, test } from 'vitest';
import { findKept, keptBy, replaceKept } from '../../../definitions/json/kept-value.ts';
import type { Json } from '../../../definitions/types.ts';
import { errorOf, evaluate, fill } from './evaluate.ts';

const kept = { $value: 'a'.repeat(64), bytes: 3_000_002 };
const names = { nodes: { big: { output: kept }, part: { output: { rows: kept, count: 7 } } }, vars: { list: [kept] } };

describe('an expression', () => {
  test.each(['nodes.big.output', '[nodes.big.output][0]', 'true ? nodes.big.output : null', 'vars.list[0]'])(
    'passes a value on that is kept outside the history: %s',
    (text) => {
      expect(evaluate(text, names)).toEqual(kept);
    },
  );

  test('sees what stands beside it, and that it is there', () => {
    expect(evaluate('nodes.part.output.count', names)).toBe(7);
    expect(evaluate('has(nodes.part.output.rows)', names)).toBe(true);
    expect(evaluate('nodes.big.output == null', names)).toBe(false);
    expect(evaluate('nodes.big.output != null', names)).toBe(true);
    expect(evaluate('size(nodes.part.output)', names)).toBe(2);
  });

  test.each([
    'nodes.big.output.rows[0]',
    'nodes.big.output.bytes',
    'nodes.big.output["$value"]',
    'nodes.big.output[0]',
    'has(nodes.big.output.rows)',
    'has(nodes.big.output.bytes)',
    'size(nodes.big.output) > 0',
    'nodes.big.output.size() > 0',
    'get(nodes.big.output, "rows", 0)',
    'get(nodes.big.output.rows, "0", 0)',
    'nodes.big.output == "text"',
    'nodes.big.output != nodes.part.output.rows',
    '"x" in nodes.big.output',
    'nodes.big.output in vars.list',
    'nodes.big.output.startsWith("x")',
    'nodes.big.output + "x"',
    'nodes.big.output < 3',
    'string(nodes.big.output)',
    'nodes.big.output.matches("x")',
    'nodes.big.output.exists(row, row == 1)',
    'nodes.part.output.rows.map(row, row.id)',
  ])('that looks inside says that the value is not there: %s', (text) => {
    expect(errorOf(() => evaluate(text, names))).toMatchObject({
      type: 'EXPRESSION_ERROR',
      message: expect.stringMatching(/kept outside the history \(3000002 bytes\).*hand it to a command/) as string,
    });
  });

  test('says which value it is, where it is named', () => {
    expect(errorOf(() => evaluate('nodes.part.output.rows[0].id', names)).message).toContain(
      'nodes.part.output.rows is kept outside',
    );
  });
});

test('a template hands it on in its place, and makes no text of it', () => {
  expect(fill({ rows: '${nodes.big.output}' }, names)).toEqual({ rows: kept });
  expect(errorOf(() => fill('rows: ${nodes.big.output}', names)).message).toContain('kept outside the history');
  expect(errorOf(() => fill('all: ${nodes.part.output}', names)).message).toContain('kept outside the history');
});

test.each<[string, Json]>([
  ['more keys', { ...kept, name: 'x' }],
  ['another hash', { ...kept, $value: 'x' }],
  ['another field', { ...kept, more: 1 }],
  ['no size', { $value: kept.$value, bytes: '3' }],
  ['one key', { $value: kept.$value }],
])('data with %s is no reference', (_, value) => {
  expect(findKept({ value })).toBeNull();
  expect(evaluate('input["$value"] != ""', { input: value })).toBe(true);
});

test('a value of another run says whose it is, once', () => {
  expect(keptBy({ a: [kept], b: 1 }, 'child/1')).toEqual({ a: [{ ...kept, of: 'child/1' }], b: 1 });
  expect(keptBy({ ...kept, of: 'child/2' }, 'child/1')).toEqual({ ...kept, of: 'child/2' });
  expect(findKept({ ...kept, of: 'child/1' })).not.toBeNull();
});

test('what is put in the place of a reference is never looked at again', async () => {
  const asked: string[] = [];
  const value = await replaceKept({ a: [kept, 1], b: { c: kept }, d: 'x' }, ({ $value }) => {
    asked.push($value);
    return Promise.resolve({ inner: kept });
  });
  expect(value).toEqual({ a: [{ inner: kept }, 1], b: { c: { inner: kept } }, d: 'x' });
  expect(asked).toHaveLength(2);
});
