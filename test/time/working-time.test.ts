import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Calendar } from '../../definitions/time/calendar.ts';
import { localAt } from '../../definitions/time/zone.ts';
import { afterWorking, openingAt, zoneNamed } from '../../time/index.ts';
import { OFFICE } from './calendars.ts';

const HOUR_MS = 3_600_000;

function after(from: string, hours: number, calendar: Calendar = OFFICE): string {
  const zone = zoneNamed(calendar.timeZone);
  return new Date(afterWorking(calendar, zone, { from: Date.parse(from), ms: hours * HOUR_MS })).toISOString();
}

const opening = (at: string): string =>
  new Date(openingAt(OFFICE, zoneNamed(OFFICE.timeZone), Date.parse(at))).toISOString();

describe('working time of an office in Paris, 9 to 12 and 13 to 18, Fridays to 12', () => {
  test.each([
    ['within the morning', '2027-01-04T08:00:00Z', 2, '2027-01-04T10:00:00.000Z'],
    ['to the end of the day, not the next morning', '2027-01-04T08:00:00Z', 8, '2027-01-04T17:00:00.000Z'],
    ['over the break', '2027-01-04T10:00:00Z', 2, '2027-01-04T13:00:00.000Z'],
    ['from the break', '2027-01-04T11:30:00Z', 1, '2027-01-04T13:00:00.000Z'],
    ['from the night', '2027-01-04T22:00:00Z', 1, '2027-01-05T09:00:00.000Z'],
    ['over the weekend', '2027-01-08T10:00:00Z', 2, '2027-01-11T09:00:00.000Z'],
    ['from a Sunday', '2027-01-10T10:00:00Z', 0.5, '2027-01-11T08:30:00.000Z'],
    ['over a holiday of that year', '2027-05-05T15:00:00Z', 2, '2027-05-07T08:00:00.000Z'],
    ['over a holiday of every year', '2026-12-24T10:00:00Z', 2, '2026-12-28T09:00:00.000Z'],
    ['over Christmas five years on', '2031-12-24T10:00:00Z', 2, '2031-12-26T09:00:00.000Z'],
    ['of none, at once', '2027-01-10T10:00:00Z', 0, '2027-01-10T10:00:00.000Z'],
    ['over a change of clocks', '2027-03-26T10:00:00Z', 2, '2027-03-29T08:00:00.000Z'],
  ])('%s', (_, from, hours, expected) => {
    expect(after(from, hours)).toBe(expected);
  });

  test.each([
    ['2027-01-04T08:00:00Z', '2027-01-04T08:00:00.000Z'],
    ['2027-01-04T11:00:00Z', '2027-01-04T12:00:00.000Z'],
    ['2027-01-04T17:00:00Z', '2027-01-05T08:00:00.000Z'],
    ['2027-01-09T12:00:00Z', '2027-01-11T08:00:00.000Z'],
  ])('the first working moment from %s on is %s', (at, expected) => {
    expect(opening(at)).toBe(expected);
  });
});

const ROUND_THE_CLOCK: Calendar = {
  name: 'always',
  timeZone: 'Europe/Paris',
  week: Object.fromEntries(
    ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((day) => [day, ['00:00-24:00']]),
  ),
};

test('working time round the clock is time, over both changes of the clocks', () => {
  for (const from of ['2027-03-27T12:00:00Z', '2027-10-30T12:00:00Z']) {
    expect(Date.parse(after(from, 100, ROUND_THE_CLOCK)) - Date.parse(from)).toBe(100 * HOUR_MS);
  }
});

test('a shift over the night that clocks go forward is an hour shorter', () => {
  const night: Calendar = { name: 'night', timeZone: 'Europe/Paris', week: { sunday: ['00:00-06:00'] } };
  expect(after('2027-03-27T12:00:00Z', 5, night)).toBe('2027-03-28T04:00:00.000Z');
  expect(after('2027-10-30T12:00:00Z', 7, night)).toBe('2027-10-31T05:00:00.000Z');
});

test('a count that no run lives to see the end of is an error that names the calendar', () => {
  const rare: Calendar = { name: 'rare', timeZone: 'UTC', week: {}, exceptions: { '2027-01-01': ['09:00-10:00'] } };
  expect(() => after('2027-01-02T00:00:00Z', 1, rare)).toThrow('by the calendar "rare"');
  expect(after('2027-01-01T00:00:00Z', 1, rare)).toBe('2027-01-01T10:00:00.000Z');
});

/** Counts minute by minute what the clocks on the wall say. */
function counted(from: number, minutes: number): number {
  const zone = zoneNamed(OFFICE.timeZone);
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
  let left = minutes;
  for (let at = from; ; at += 60_000) {
    if (left === 0) return at;
    const local = new Date(localAt(at, zone));
    const [date = '', time = ''] = local.toISOString().split('T');
    const closed = OFFICE.holidays?.some((day) => day === date || day === date.slice(5)) === true;
    const hours = closed ? [] : (OFFICE.week[days[local.getUTCDay()] as (typeof days)[number]] ?? []);
    if (hours.some((text) => text.slice(0, 5) <= time.slice(0, 5) && time.slice(0, 5) < text.slice(6))) left -= 1;
  }
}

test('working time is what a count of the minutes gives, in all weeks of a year', () => {
  const from = Date.parse('2027-01-01T00:00Z') / 60_000;
  fc.assert(
    fc.property(
      fc.integer({ min: from, max: from + 365 * 24 * 60 }),
      fc.integer({ min: 0, max: 600 }),
      (start, minutes) => {
        const zone = zoneNamed(OFFICE.timeZone);
        const at = afterWorking(OFFICE, zone, { from: start * 60_000, ms: minutes * 60_000 });
        expect(at).toBe(counted(start * 60_000, minutes));
      },
    ),
    { numRuns: 100 },
  );
});
