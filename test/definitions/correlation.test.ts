import { expect, test } from 'vitest';
import { eventInWords } from '../../definitions/correlation.ts';

test('what a wait means is told with its values, and a long text by its length alone', () => {
  expect(eventInWords(['paid'], { 'data.order': 'O-7', 'data.n': 0, 'data.by': null })).toBe(
    'the event paid with data.order "O-7" and data.n 0 and data.by null',
  );
  expect(eventInWords(['paid'], { 'data.order': 'x'.repeat(200_000) })).toBe(
    'the event paid with data.order a text of 200000 characters',
  );
});

test('of many types and values the first are told, and how many more there are', () => {
  const types = Array.from({ length: 100 }, (_, index) => `t${index}`);
  expect(eventInWords(types, {})).toBe('one of the events t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, 90 more');
  const values = Object.fromEntries(types.slice(0, 12).map((type) => [type, 1]));
  expect(eventInWords(['paid'], values)).toMatch(/ and t9 1 and 2 more$/);
});
