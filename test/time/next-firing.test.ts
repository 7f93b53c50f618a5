/** Check 20: firings on the nights the clocks change, held against a walk minute by minute. */
import { describe, expect, test } from 'vitest';
import { parseCron } from '../../definitions/cron.ts';
import { localAt } from '../../definitions/time/zone.ts';
import { nextFiring, zoneNamed } from '../../time/index.ts';
import { NIGHTS } from './zones.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function firings(pattern: string, zone: string, window: { from: number; to: number }): readonly string[] {
  const found: string[] = [];
  let at: number | null = window.from;
  for (;;) {
    at = nextFiring(parseCron(pattern), at, zoneNamed(zone));
    if (at === null || at > window.to) return found;
    found.push(new Date(at).toISOString());
  }
}

/** Values of one field: lists of numbers, ranges and steps. */
function valuesOf(field: string, [low, high]: readonly [number, number]): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '*', step = '1'] = part.split('/');
    const [from, to = from] = range === '*' ? [low, high] : range.split('-').map(Number);
    for (let value = from as number; value <= (to as number); value += Number(step)) values.add(value);
  }
  return values;
}

function matcher(pattern: string): (local: number) => boolean {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = pattern.split(' ');
  const minutes = valuesOf(minute, [0, 59]);
  const hours = valuesOf(hour, [0, 23]);
  const days = valuesOf(day, [1, 31]);
  const months = valuesOf(month, [1, 12]);
  const weekdays = valuesOf(weekday, [0, 6]);
  return (local) => {
    const date = new Date(local);
    const [byDay, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    const isDay = day === '*' || weekday === '*' ? byDay && byWeekday : byDay || byWeekday;
    return (
      isDay && minutes.has(date.getUTCMinutes()) && hours.has(date.getUTCHours()) && months.has(date.getUTCMonth() + 1)
    );
  };
}

const walks = new Map<string, readonly (readonly [at: number, local: number])[]>();

/** Every minute and what clocks show then. */
function clocks(zone: string, from: number, to: number): readonly (readonly [at: number, local: number])[] {
  const key = `${zone} ${from} ${to}`;
  const known = walks.get(key);
  if (known !== undefined) return known;
  const minutes = Array.from({ length: (to - from) / MINUTE_MS + 1 }, (_, index) => from + index * MINUTE_MS);
  const walk = minutes.map((at) => [at, localAt(at, zoneNamed(zone))] as const);
  walks.set(key, walk);
  return walk;
}

/** What the language says, minute by minute. */
function expected(pattern: string, zone: string, { from, to }: { from: number; to: number }): readonly string[] {
  const matches = matcher(pattern);
  const [minute = '', hour = ''] = pattern.split(' ');
  const isInterval = minute.startsWith('*') || hour.startsWith('*');
  const seen = new Set<number>();
  const found: string[] = [];
  let before: number | null = null;
  for (const [at, local] of clocks(zone, from - 3 * HOUR_MS, to)) {
    let fires = matches(local) && (isInterval || !seen.has(local));
    for (let skipped = (before ?? local) + MINUTE_MS; skipped < local; skipped += MINUTE_MS) {
      if (hour !== '*' && matches(skipped)) fires = true;
    }
    seen.add(local);
    before = local;
    if (fires && at > from) found.push(new Date(at).toISOString());
  }
  return found;
}

const PATTERNS = [
  '30 2 * * *',
  '0 2 * * *',
  '15 2 * * *',
  '0 3 * * *',
  '30 1 * * *',
  '0 0 * * *',
  '30 0 * * *',
  '45 23 * * *',
  '59 1 * * *',
  '0 1,2,3 * * *',
  '30 0-3 * * *',
  '5,35 2 * * *',
  '*/15 * * * *',
  '*/30 2 * * *',
  '*/10 1-3 * * *',
  '0 * * * *',
  '30 * * * *',
  '0 */2 * * *',
  '30 */3 * * *',
  '* 2 * * *',
  '30 2 * * 0',
  '30 2 28 3 *',
] as const;

describe.each(NIGHTS)('$zone', ({ zone, forward, back }) => {
  const windowAround = (moment: string) => ({
    from: Date.parse(moment) - 6 * HOUR_MS,
    to: Date.parse(moment) + 18 * HOUR_MS,
  });

  test.each(PATTERNS)('%s around the night that clocks go forward', (pattern) => {
    const window = windowAround(forward);
    expect(firings(pattern, zone, window)).toEqual(expected(pattern, zone, window));
  });

  test.each(PATTERNS)('%s around the night that clocks go back', (pattern) => {
    const window = windowAround(back);
    expect(firings(pattern, zone, window)).toEqual(expected(pattern, zone, window));
  });
});

const PARIS_FORWARD = { from: Date.parse('2027-03-27T12:00Z'), to: Date.parse('2027-03-29T12:00Z') };
const PARIS_BACK = { from: Date.parse('2027-10-30T12:00Z'), to: Date.parse('2027-11-01T12:00Z') };

test('a fixed time that is skipped fires at the first valid moment, one that is doubled fires once', () => {
  expect(firings('30 2 * * *', 'Europe/Paris', PARIS_FORWARD)).toEqual([
    '2027-03-28T01:00:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ]);
  expect(firings('30 2 * * *', 'Europe/Paris', PARIS_BACK)).toEqual([
    '2027-10-31T00:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ]);
});

test('every interval of a doubled hour fires', () => {
  const night = { from: Date.parse('2027-10-30T23:45Z'), to: Date.parse('2027-10-31T02:00Z') };
  expect(firings('*/30 * * * *', 'Europe/Paris', night)).toEqual([
    '2027-10-31T00:00:00.000Z',
    '2027-10-31T00:30:00.000Z',
    '2027-10-31T01:00:00.000Z',
    '2027-10-31T01:30:00.000Z',
    '2027-10-31T02:00:00.000Z',
  ]);
});

test('midnight in Paris is at the moments of case H24', () => {
  const nights = { from: Date.parse('2027-03-26T12:00Z'), to: Date.parse('2027-03-29T12:00Z') };
  expect(firings('0 0 * * *', 'Europe/Paris', nights)).toEqual([
    '2027-03-26T23:00:00.000Z',
    '2027-03-27T23:00:00.000Z',
    '2027-03-28T22:00:00.000Z',
  ]);
});

test('a leap day is waited for over a century without one', () => {
  const at = nextFiring(parseCron('0 12 29 2 *'), Date.parse('2097-01-01T00:00Z'), zoneNamed('Europe/Paris'));
  expect(new Date(at ?? 0).toISOString()).toBe('2104-02-29T11:00:00.000Z');
});
