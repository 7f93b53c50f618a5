/** Case H12: `__proto__`, dots, dashes and 名前 are ordinary own keys. */
import { expect, test } from 'vitest';
import { compileTemplate, Meter } from '../../../definitions/expressions/index.ts';
import type { Json } from '../../../definitions/types.ts';
import { EMPTY, errorOf, evaluate, fill } from './evaluate.ts';

const TEXT =
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"p":1}},"a.b":1,"a":{"b":2},' +
  '"steady-state":{"n":3},"名前":4,"":5,"toString":"x","length":9}';
const data = JSON.parse(TEXT) as Json;
const names = { event: { data }, vars: { list: [1, 2, 3], text: 'abc', empty: {} } };

test.each([
  ['event.data.a.b', 2],
  ['event.data["a.b"]', 1],
  ['event.data["steady-state"].n', 3],
  ['event.data["名前"]', 4],
  ['event.data[""]', 5],
  ['event.data.toString', 'x'],
  ['event.data["toString"]', 'x'],
  ['event.data.length', 9],
  ['event.data.constructor.prototype.p', 1],
  ['event.data.__proto__.isAdmin', true],
  ['event.data["__proto__"]["isAdmin"]', true],
  ['[event.data].map(d, d.__proto__.isAdmin)[0]', true],
  ['[event.data].map(d, d["a.b"])[0]', 1],
  ['get(event.data, "constructor.prototype.p", 0)', 1],
  ['has(event.data.__proto__)', true],
  ['has(event.data.isAdmin)', false],
  ['"hasOwnProperty" in event.data', false],
  ['size(event.data)', 9],
] as const)('%s is %j', (expression, expected) => {
  expect(evaluate(expression, names)).toEqual(expected);
});

test.each([
  'event.data.isAdmin',
  'event.data.hasOwnProperty',
  'event.data.valueOf',
  'vars.empty.__proto__',
  'vars.empty.constructor',
  'vars.empty.toString',
  'vars.list.length',
  'vars.list.constructor',
  'vars.list["length"]',
  'vars.list.__proto__',
  'vars.text.length',
  'vars.text.constructor',
  'vars.text[0]',
  '__proto__',
  'constructor',
  'toString',
  'event.data.steady-state',
  '[vars.empty].map(e, e.__proto__)',
  '[vars.list].map(l, l.constructor)',
  '{"a": 1}.constructor',
  '[1].constructor',
  '"x".constructor',
  'now.constructor',
  'now.message',
  'duration("1s").seconds.constructor',
])('%s is an error, never a prototype and never false', (expression) => {
  expect(errorOf(() => evaluate(expression, names)).message).not.toContain('function');
});

test('a whole event goes through a template with key order and every key unchanged', () => {
  expect(JSON.stringify(fill({ copy: '${event.data}' }, names))).toBe(`{"copy":${TEXT}}`);
  expect(JSON.stringify(fill(data, names))).toBe(TEXT);
  expect(JSON.stringify(fill(JSON.parse('{"__proto__":"${event.data.a.b}"}') as Json, names))).toBe('{"__proto__":2}');
});

test('a map built by an expression keeps dangerous names as own keys', () => {
  const built = evaluate('{"__proto__": {"isAdmin": true}, "constructor": 1}') as Record<string, Json>;
  expect(JSON.stringify(built)).toBe('{"__proto__":{"isAdmin":true},"constructor":1}');
  expect(Object.getPrototypeOf(built)).toBe(Object.prototype);
  expect((built as { isAdmin?: unknown }).isAdmin).toBeUndefined();
});

test('an empty object afterwards has neither isAdmin nor p', () => {
  compileTemplate(data).evaluate({ ...EMPTY, ...names }, new Meter());
  const probe = {} as { isAdmin?: unknown; p?: unknown };
  expect(probe.isAdmin).toBeUndefined();
  expect(probe.p).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});
