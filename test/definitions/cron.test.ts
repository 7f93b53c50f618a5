import { expect, test } from 'vitest';
import { parseCron } from '../../definitions/cron.ts';
import { RunError } from '../../definitions/errors.ts';

/** The next local times, without their seconds. */
function next(pattern: string, after: string, count = 1): readonly string[] {
  const cron = parseCron(pattern);
  const found: string[] = [];
  let local: number | null = Date.parse(`${after}Z`);
  while (found.length < count) {
    local = cron.nextAfter(local);
    if (local === null) break;
    found.push(new Date(local).toISOString().slice(0, 16));
  }
  return found;
}

test.each([
  ['0 9 * * 1', '2027-01-01T00:00', '2027-01-04T09:00'],
  ['0 9 * * MON', '2027-01-01T00:00', '2027-01-04T09:00'],
  ['0 9 * * mon-fri', '2027-01-01T10:00', '2027-01-04T09:00'],
  ['0 0 * * 0', '2027-01-01T00:00', '2027-01-03T00:00'],
  ['0 0 * * 7', '2027-01-01T00:00', '2027-01-03T00:00'],
  ['  0   9 * JAN,jul  1 ', '2027-01-25T09:00', '2027-07-05T09:00'],
  ['*/20 * * * *', '2027-01-01T00:40', '2027-01-01T01:00'],
  ['5-10/5 0 * * *', '2027-01-01T00:05', '2027-01-01T00:10'],
  ['0 0 29 2 *', '2027-01-01T00:00', '2028-02-29T00:00'],
  ['0 0 29 2 *', '2097-01-01T00:00', '2104-02-29T00:00'],
  ['0 0 31 * *', '2027-01-31T00:00', '2027-03-31T00:00'],
  ['0 0 L * *', '2027-02-01T00:00', '2027-02-28T00:00'],
  ['0 0 * * 5#2', '2027-01-01T00:00', '2027-01-08T00:00'],
  ['59 23 31 12 *', '2027-12-31T23:59', '2028-12-31T23:59'],
  ['@daily', '2027-01-01T00:00', '2027-01-02T00:00'],
  ['@HOURLY', '2027-01-01T00:00', '2027-01-01T01:00'],
  ['@yearly', '2027-01-01T00:00', '2028-01-01T00:00'],
])('%j behind %s is %s', (pattern, after, expected) => {
  expect(next(pattern, after)).toEqual([expected]);
});

test('of day of month and day of week either suffices where both are given', () => {
  expect(next('0 0 13 * 5', '2027-01-01T00:00', 4)).toEqual([
    '2027-01-08T00:00',
    '2027-01-13T00:00',
    '2027-01-15T00:00',
    '2027-01-22T00:00',
  ]);
});

test.each([
  ['*/15 * * * *', true, true],
  ['*/15 2 * * *', true, false],
  ['0 */2 * * *', true, false],
  ['30 * * * *', true, true],
  ['@hourly', true, true],
  ['30 2 * * *', false, false],
  ['0,30 9-17 * * 1-5', false, false],
  ['@daily', false, false],
])('%j: fires at intervals %s, every hour %s', (pattern, isInterval, isHourly) => {
  expect(parseCron(pattern)).toMatchObject({ isInterval, isHourly });
});

test.each([
  ['', 'five fields'],
  ['nonsense', 'five fields'],
  ['* * * *', 'five fields'],
  ['0 * * * * *', 'five fields'],
  ['0 0 0 1 1 * 2027', 'five fields'],
  ['@reboot', 'five fields'],
  ['2027-01-01T00:00:00Z', 'five fields'],
  ['60 * * * *', 'minute: 60'],
  ['* 24 * * *', 'hour: 24'],
  ['* * 0 * *', 'day'],
  ['* * 32 * *', 'day'],
  ['* * * 13 *', 'month'],
  ['* * * * 8', 'dayOfWeek: 8'],
  ['a * * * *', 'minute (a)'],
  ['*/0 * * * *', 'stepping: 0'],
  ['5-1 * * * *', 'larger'],
  ['-5 * * * *', 'lower'],
  ['0 0 30 2 *', 'never fires'],
  ['0 0 31 4,6,9,11 *', 'never fires'],
  ['* '.repeat(500), 'five fields'],
])('%j is refused: %s', (pattern, why) => {
  expect(() => parseCron(pattern)).toThrow(RunError);
  expect(() => parseCron(pattern)).toThrow(why);
  expect(() => parseCron(pattern)).toThrow(JSON.stringify(pattern).slice(0, 20));
});
