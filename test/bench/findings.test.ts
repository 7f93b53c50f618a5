import { expect, test } from 'vitest';
import { comparison, LIMIT } from '../../bench/comparison.ts';
import { type Finding, isMet } from '../../bench/finding.ts';
import { median, pairedRatio, percentile } from '../../bench/statistics.ts';
import { asTable } from '../../bench/table.ts';

const finding = (part: Partial<Finding>): Finding => ({
  workload: 'W1',
  measure: 'runs/s',
  value: 9,
  base: { name: 'hand-written', value: 10 },
  ratio: 0.9,
  target: null,
  ...part,
});

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow('No values');
});

test('a percentile is one of the values, and p100 the greatest', () => {
  const values = Array.from({ length: 100 }, (_, place) => 100 - place);
  expect(percentile(values, 0.5)).toBe(51);
  expect(percentile(values, 0.99)).toBe(100);
  expect(percentile(values, 1)).toBe(100);
  expect(() => percentile([], 0.5)).toThrow('No values');
});

test('a ratio compares what was measured in the same turn, so that a slow spell of the machine falls out', () => {
  expect(pairedRatio([10, 1, 9], [10, 1, 10])).toBe(1);
  const found = comparison({ workload: 'W1', name: 'hand-written' })('ms', [20, 2, 30], [10, 1, 10], LIMIT.atMost(2));
  expect(found).toEqual({
    workload: 'W1',
    measure: 'ms',
    value: 20,
    base: { name: 'hand-written', value: 10 },
    ratio: 2,
    target: { of: 'ratio', bound: 'at most', limit: 2 },
  });
  expect(isMet(found)).toBe(true);
});

test('a target is met at its very limit, by the ratio or by the figure itself', () => {
  expect(isMet(finding({ target: LIMIT.atLeast(0.9) }))).toBe(true);
  expect(isMet(finding({ target: LIMIT.atLeast(0.91) }))).toBe(false);
  expect(isMet(finding({ target: LIMIT.atMost(0.89) }))).toBe(false);
  expect(isMet(finding({ target: LIMIT.valueAtMost(9) }))).toBe(true);
  expect(isMet(finding({ target: LIMIT.valueAtLeast(9.5) }))).toBe(false);
  expect(isMet(finding({ value: 65, target: { of: 'value', bound: 'exactly', limit: 65 } }))).toBe(true);
  expect(isMet(finding({}))).toBeNull();
});

test('a target on a ratio that could not be measured is missed', () => {
  expect(isMet(finding({ base: null, ratio: null, target: LIMIT.atLeast(0.9) }))).toBe(false);
});

test('the table shows the target beside each figure and whether it is met', () => {
  const table = asTable([
    finding({ target: LIMIT.atLeast(0.97) }),
    finding({ value: 1234.5, base: null, ratio: null, target: LIMIT.valueAtMost(2000) }),
    finding({ value: 0.0123, base: null, ratio: null }),
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| W1 | runs/s | 9 | 10 hand-written | 0.90 × | ≥ 0.97 × | **no** |',
    '| W1 | runs/s | 1,235 | – | – | ≤ 2,000 | yes |',
    '| W1 | runs/s | 0.0123 | – | – | – | – |',
  ]);
});
