import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookupKey, lookupKeys } from '../../../definitions/matching/lookup-key.ts';
import type { Scalar } from '../../../definitions/types.ts';

test.each<[Scalar[], Scalar[]]>([
  [[5], ['5']],
  [[null], ['null']],
  [[true], ['true']],
  [[''], [null]],
  [
    ['a', 'b'],
    ['ab', ''],
  ],
  [
    ['a', 's1:b'],
    ['as1:b', ''],
  ],
  [
    [5, '5'],
    ['5', 5],
  ],
  [
    [null, 1],
    ['null;', 1],
  ],
  [
    [1, 23],
    [12, 3],
  ],
  [
    ['s1:x', 'y'],
    ['s', '1:xy'],
  ],
])('%j and %j have different keys', (left, right) => {
  expect(lookupKey(left)).not.toBe(lookupKey(right));
});

test('equal values have one key, minus zero and zero among them', () => {
  const keys = new Map([
    [lookupKey([0]), 'one'],
    [lookupKey([0, 'x']), 'two'],
  ]);
  expect(keys.get(lookupKey([-0]))).toBe('one');
  expect(keys.get(lookupKey([-0, 'x']))).toBe('two');
});

test('keys of one length are equal only when the values are', () => {
  const scalar = fc.oneof(
    fc.constantFrom<Scalar>(null, true, false, '', 's', 's1:', ':', ';', 'n1;', 'null;', 0, 1, 11),
    fc.string({ maxLength: 4 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const lists = fc.integer({ min: 1, max: 3 }).chain((length) => {
    const list = fc.array(scalar, { minLength: length, maxLength: length });
    return fc.tuple(list, list);
  });
  fc.assert(
    fc.property(lists, ([left, right]) => {
      const equal = left.every((value, place) => value === right[place]);
      expect(lookupKey(left) === lookupKey(right)).toBe(equal);
    }),
  );
});

test('the keys of lists are those of every way to choose, none with an empty list', () => {
  const choices: Scalar[][] = [
    ['a', 1],
    ['a', 2],
    ['b', 1],
    ['b', 2],
  ];
  expect(
    lookupKeys([
      ['a', 'b'],
      [1, 2],
    ]),
  ).toEqual(choices.map(lookupKey));
  expect(lookupKeys([['a'], []])).toEqual([]);
  expect(lookupKeys([])).toEqual([lookupKey([])]);
});
