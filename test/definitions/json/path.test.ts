import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromPointer, parsePath, toPointer, valueAt } from '../../../definitions/json/path.ts';
import type { Json } from '../../../definitions/types.ts';

test.each([
  ['a', ['a']],
  ['company.size', ['company', 'size']],
  ['items[0].sku', ['items', '0', 'sku']],
  ['items.0.sku', ['items', '0', 'sku']],
  ['["a.b"].c', ['a.b', 'c']],
  ['x["\\"[]"]', ['x', '"[]']],
  ['[""]', ['']],
  ['名前.steady-state', ['名前', 'steady-state']],
  ['__proto__.x', ['__proto__', 'x']],
])('%s is a path', (text, keys) => {
  expect(parsePath(text)).toEqual(keys);
});

test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[b]', "a['b']", 'a["b"', 'a]b', 'a[-1]', '["a"]b', 'a["\\q"]'])(
  '%j is no path',
  (text) => {
    expect(parsePath(text)).toBeNull();
  },
);

test('a path finds own keys only, and list items by number', () => {
  const data = JSON.parse('{"a":{"b":null},"a.b":1,"":5,"__proto__":{"x":2},"list":[7,{"k":8}],"text":"abc"}') as Json;
  const at = (text: string): Json | undefined => valueAt(data, parsePath(text) ?? []);
  expect(at('a.b')).toBeNull();
  expect(at('["a.b"]')).toBe(1);
  expect(at('[""]')).toBe(5);
  expect(at('__proto__.x')).toBe(2);
  expect(at('list[1].k')).toBe(8);
  for (const text of [
    'a.c',
    'toString',
    'constructor',
    'a.__proto__',
    'list.length',
    'list[2]',
    'text.length',
    'text[0]',
    'a.b.c',
  ]) {
    expect(at(text)).toBeUndefined();
  }
});

test('pointers escape and come back', () => {
  expect(toPointer(['a/b', 0, 'm~n', ''])).toBe('/a~1b/0/m~0n/');
  fc.assert(
    fc.property(fc.array(fc.string()), (keys) => {
      expect(fromPointer(toPointer(keys))).toEqual(keys);
    }),
  );
});
