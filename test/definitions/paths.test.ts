import { expect, test } from 'vitest';
import { parsePath, readPath } from '../../definitions/paths.ts';
import type { Json } from '../../definitions/types.ts';

const DATA = JSON.parse(
  '{"a.b":1,"a":{"b":2},"steady-state":{"n":3},"名前":4,"":5,"toString":"x","length":9,"__proto__":{"isAdmin":true},' +
    '"items":[{"sku":"s"},null],"q\\"uote":{"[0]":6}}',
) as Json;

test.each([
  ['a.b', 2],
  ['["a.b"]', 1],
  ['a["b"]', 2],
  ['steady-state.n', 3],
  ['名前', 4],
  ['', 5],
  ['toString', 'x'],
  ['length', 9],
  ['__proto__.isAdmin', true],
  ['items[0].sku', 's'],
  ['items.0.sku', 's'],
  ['items[1]', null],
  ['["q\\"uote"]["[0]"]', 6],
])('the path %s finds %j', (path, value) => {
  expect(readPath(DATA, parsePath(path))).toEqual(value);
});

test.each([
  'constructor',
  'valueOf',
  'a.toString',
  'items.length',
  'items[2]',
  'items.00',
  'items.-0',
  'a.b.c',
  'a.',
  '.',
])('the path %s finds nothing', (path) => {
  expect(readPath(DATA, parsePath(path))).toBeUndefined();
});

test.each(['a[', 'a]', 'a[x]', 'a[01]', 'a["b]', '["a"]b', 'a["\\n"]'])(
  'the path %s is refused with its offset',
  (path) => {
    expect(() => parsePath(path)).toThrow(/^Path ".+", offset \d+: quote the key/);
  },
);

test('a path that was refused leaves the next one alone', () => {
  expect(() => parsePath('abc[')).toThrow(SyntaxError);
  expect(parsePath('x.y')).toEqual(['x', 'y']);
});
