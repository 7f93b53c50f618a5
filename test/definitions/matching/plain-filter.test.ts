import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionMismatch } from '../../../definitions/matching/filter-expression.ts';
import { conditionsHold, readPlainFilter } from '../../../definitions/matching/plain-filter.ts';
import type { Json } from '../../../definitions/types.ts';
import { event } from './builders.ts';

test('plain conditions are read whole, whatever the space between', () => {
  const text = ' event.data.kind=="x"&&event.data.a.b != \'y"\'\n&& event.data.n >= -1.5 && event.data.ok == true ';
  expect(readPlainFilter(text)).toEqual({
    whole: true,
    conditions: [
      { keys: ['kind'], operator: '==', literal: 'x' },
      { keys: ['a', 'b'], operator: '!=', literal: 'y"' },
      { keys: ['n'], operator: '>=', literal: -1.5 },
      { keys: ['ok'], operator: '==', literal: true },
    ],
  });
});

test.each([
  'event.data.kind == "x" && event.data.tags.exists(t, t == "a" || t == "b")',
  'event.data.kind == "x" && (event.data.a == 1 || event.data.b ? true : false)',
  'event.data.kind == "x" && event.data.a in ["what?", "a||b"]',
  'event.data.kind == "x" && event.source == "/crm"',
])('of %s the front is read and the rest left', (text) => {
  expect(readPlainFilter(text)).toEqual({
    whole: false,
    conditions: [{ keys: ['kind'], operator: '==', literal: 'x' }],
  });
});

test.each([
  'event.data.kind == "x" || event.data.a == 1',
  'event.data.kind == "x" && event.data.a == 1 || true',
  'event.data.kind == "x" && event.data.ok ? true : true',
  'event.data.kind == "x" && r"\\" != "" || true',
  'event.data.kind == "x" && """"""" == "" || true',
  'event.data.kind == "x" && event.data.a == 1 // "\n || true',
  'event.data.kind == "x" && (true) || true',
  'event.data.kind == "x" == true',
  'event.data.kind == "x" + "y"',
  'event.data.kind == "\\x41"',
  'event.data.kind == r"x"',
  'event.data.n == 5u',
  'event.data.n == 0x1F',
  'event.data.n == 1e5',
  'event.data.n == 9007199254740993',
  'event.data.kind < "x"',
  'event.data.in == "x"',
  'event.data.kind.size() == 1',
  'event.data["kind"] == "x"',
  'event.data == null',
  '!event.data.ok == true',
  'events.data.a == 1',
  'event.data.a == trueish',
  '',
])('of %s nothing is read', (text) => {
  expect(readPlainFilter(text)).toEqual({ whole: false, conditions: [] });
});

test('a text that is too long for CEL is not read either', () => {
  expect(readPlainFilter(`event.data.a == "${'x'.repeat(5000)}"`)).toEqual({ whole: false, conditions: [] });
});

test('what is read agrees with CEL on every event', () => {
  const path = fc.constantFrom('event.data.a', 'event.data.b.c', 'event.data.length', 'event.data.constructor');
  const literal = fc.constantFrom(
    '"x"',
    "'x'",
    '""',
    '5',
    '-5',
    '0',
    '1.5',
    'true',
    'false',
    'null',
    '"5"',
    '9007199254740991',
  );
  const plain = fc
    .tuple(path, fc.constantFrom('==', '!=', '<', '<=', '>', '>='), literal)
    .map(([left, operator, right]) => `${left} ${operator} ${right}`);
  const other = fc.constantFrom(
    'has(event.data.a)',
    'event.data.a in [5, "x"]',
    '(true || event.data.a == 5)',
    'event.id == "e-1"',
  );
  const text = fc
    .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: plain }, other), fc.constantFrom(' && ', '&&', ' && ', ' || ')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.map(([part, join], place) => (place === 0 ? part : `${join}${part}`)).join(''));
  const value = fc.constantFrom<Json>(
    'x',
    '',
    5,
    -5,
    0,
    1.5,
    true,
    false,
    null,
    '5',
    ['x'],
    { c: 'x' },
    { c: 5 },
    [],
    {},
    9007199254740991,
  );
  const data: fc.Arbitrary<Json> = fc.oneof(
    fc.record({ a: value, b: value, length: value }, { requiredKeys: [] }).map((each) => ({ ...each })),
    value,
  );
  fc.assert(
    fc.property(text, data, (filter, content) => {
      const isTrue = expressionMismatch(filter, event(content)) === null;
      const { conditions, whole } = readPlainFilter(filter);
      const hold = conditionsHold(conditions, content);
      if (isTrue) expect(hold).toBe(true);
      if (whole) expect(hold).toBe(isTrue);
    }),
    { numRuns: 500 },
  );
});
