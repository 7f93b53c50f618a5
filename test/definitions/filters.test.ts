import { describe, expect, test } from 'vitest';
import { equalityValues, matchFilters } from '../../definitions/filters.ts';
import type { Filters, FilterTest, Json } from '../../definitions/types.ts';

const DATA: Json = { source: 'Web', company: { size: 50 }, tags: ['vip', 5], none: null, flag: false };

const HOLDS: readonly [string, FilterTest][] = [
  ['source', 'Web'],
  ['source', ['Facebook', 'Web']],
  ['source', { eq: 'Web', prefix: 'W', suffix: 'b', contains: 'e' }],
  ['source', { ne: 'Facebook', notIn: ['Google'] }],
  ['source', { gt: 'Wea', lte: 'Web' }],
  ['company.size', 50],
  ['company.size', { gte: 50, lte: 50, gt: 49.5, lt: 50.5 }],
  ['tags', { contains: 'vip' }],
  ['tags', { contains: 5 }],
  ['tags[0]', 'vip'],
  ['none', null],
  ['none', { exists: true, ne: 'x', in: [null] }],
  ['flag', false],
  ['missing', { exists: false, ne: 1, notIn: [1, null] }],
  ['source', {}],
];

test.each(HOLDS)('%s holds for %j', (path, filter) => {
  expect(matchFilters({ [path]: filter }, DATA)).toBeNull();
});

const FAILS: readonly [string, FilterTest, string][] = [
  ['source', 'Facebook', 'source is "Web", not "Facebook"'],
  ['source', ['Facebook', 'Google'], 'source is "Web", not one of "Facebook", "Google"'],
  ['source', [], 'source is "Web", not one of an empty list'],
  ['source', { in: ['x'] }, 'source is "Web", not one of "x"'],
  ['source', { ne: 'Web' }, 'source is "Web", not other than "Web"'],
  ['source', { notIn: ['Web'] }, 'source is "Web", not other than "Web"'],
  ['source', { exists: false }, 'source is "Web", not absent'],
  ['source', { gt: 5 }, 'source is "Web", not more than 5'],
  ['source', { prefix: 'F' }, 'source is "Web", not a text that begins with "F"'],
  ['source', { suffix: 'F' }, 'source is "Web", not a text that ends with "F"'],
  ['source', { contains: 'F' }, 'source is "Web", not a text or list that holds "F"'],
  ['company.size', '50', 'company.size is 50, not "50"'],
  ['company.size', { gt: 50 }, 'company.size is 50, not more than 50'],
  ['company.size', { gte: 51 }, 'company.size is 50, not at least 51'],
  ['company.size', { lt: 50 }, 'company.size is 50, not less than 50'],
  ['company.size', { lte: 49 }, 'company.size is 50, not at most 49'],
  ['company.size', { gte: '5' }, 'company.size is 50, not at least "5"'],
  ['company', { contains: 'size' }, 'company is an object, not a text or list that holds "size"'],
  ['tags', 'vip', 'tags is a list, not "vip"'],
  ['tags', { contains: '5' }, 'tags is a list, not a text or list that holds "5"'],
  ['missing', null, 'missing is absent, not null'],
  ['missing', { exists: true }, 'missing is absent, not present'],
  ['missing', { lt: 5 }, 'missing is absent, not less than 5'],
  ['missing', { exists: false, eq: 1 }, 'missing is absent, not 1'],
  ['none', { lt: 5 }, 'none is null, not less than 5'],
  ['flag', 0, 'flag is false, not 0'],
  ['toString', { exists: true }, 'toString is absent, not present'],
  [
    'source',
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    'source is "Web", not one of "1", "2", "3", "4", "5", "6", "7", "8" and 1 more',
  ],
];

test.each(FAILS)('%s against %j does not hold', (path, filter, message) => {
  expect(matchFilters({ [path]: filter }, DATA)).toMatchObject({ path, test: filter, message });
});

describe('several filters', () => {
  test('the first that does not hold is the one told', () => {
    expect(matchFilters({ source: 'Web', flag: true, none: 1 }, DATA)?.path).toBe('flag');
  });

  test('data that is no object has no paths', () => {
    for (const data of [null, 5, 'source', []] as Json[]) {
      expect(matchFilters({ source: { exists: false } }, data)).toBeNull();
      expect(matchFilters({ source: 'Web' }, data)).not.toBeNull();
    }
  });

  test('a path named __proto__ is a path like any other', () => {
    const filters = JSON.parse('{"__proto__":"x"}') as Filters;
    expect(matchFilters(filters, JSON.parse('{"__proto__":"x"}') as Json)).toBeNull();
    expect(matchFilters(filters, {})).not.toBeNull();
  });

  test('a long text is cut in the message', () => {
    expect(matchFilters({ source: 'x' }, { source: 'y'.repeat(500) })?.message.length).toBeLessThan(120);
  });
});

test('the equality values of a test are those that an index can look up', () => {
  expect(equalityValues(null)).toEqual([null]);
  expect(equalityValues('x')).toEqual(['x']);
  expect(equalityValues([1, 2])).toEqual([1, 2]);
  expect(equalityValues({ eq: false })).toEqual([false]);
  expect(equalityValues({ in: ['a'], ne: 'b' })).toEqual(['a']);
  expect(equalityValues({ gt: 1 })).toBeNull();
  expect(equalityValues({})).toBeNull();
});

test('a key with a dot is quoted, and text that is no path is refused', () => {
  const data: Json = { 'a.b': 1, a: { b: 2 } };
  expect(matchFilters({ 'a.b': 2, '["a.b"]': 1 }, data)).toBeNull();
  expect(() => matchFilters({ 'a[b': 1 }, data)).toThrow('"a[b" is no path');
});
