import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePeriod } from '../../definitions/duration.ts';
import { addPeriod } from '../../definitions/time/months.ts';
import { localAt } from '../../definitions/time/zone.ts';
import { zoneNamed } from '../../time/index.ts';
import { NIGHTS } from './zones.ts';

const after = (from: string, duration: string, zone: string): string =>
  new Date(addPeriod(Date.parse(from), parsePeriod(duration), zoneNamed(zone))).toISOString();

test.each([
  ['2027-01-31T11:00:00Z', 'P1M', 'Europe/Paris', '2027-02-28T11:00:00.000Z'],
  ['2028-01-31T11:00:00Z', 'P1M', 'Europe/Paris', '2028-02-29T11:00:00.000Z'],
  ['2028-02-29T11:00:00Z', 'P1Y', 'Europe/Paris', '2029-02-28T11:00:00.000Z'],
  ['2028-02-29T11:00:00Z', 'P4Y', 'Europe/Paris', '2032-02-29T11:00:00.000Z'],
  ['2027-12-31T23:30:00Z', 'P2M', 'UTC', '2028-02-29T23:30:00.000Z'],
  ['2027-03-15T11:00:00Z', 'P1M', 'Europe/Paris', '2027-04-15T10:00:00.000Z'],
  ['2027-02-28T01:30:00Z', 'P1M', 'Europe/Paris', '2027-03-28T01:00:00.000Z'],
  ['2027-09-30T00:30:00Z', 'P1M', 'Europe/Paris', '2027-10-30T00:30:00.000Z'],
  ['2027-01-31T23:30:00Z', 'P1M', 'Europe/Paris', '2027-02-28T23:30:00.000Z'],
  ['2027-01-31T23:30:00Z', 'P1M', 'UTC', '2027-02-28T23:30:00.000Z'],
  ['2027-01-31T23:30:00Z', 'P1M', '+02:00', '2027-02-28T23:30:00.000Z'],
  ['2027-01-31T11:00:00Z', 'P1Y1M', 'UTC', '2028-02-29T11:00:00.000Z'],
  ['2027-01-31T11:00:00Z', 'P1M1DT1H', 'UTC', '2027-03-01T12:00:00.000Z'],
  ['2027-03-27T11:00:00Z', 'P1D', 'Europe/Paris', '2027-03-28T11:00:00.000Z'],
])('%s and %s in %s is %s', (from, duration, zone, expected) => {
  expect(after(from, duration, zone)).toBe(expected);
});

test('months keep the time of day on the clocks of the zone, unless the day has none such', () => {
  const from = Date.parse('2000-01-01T00:00Z');
  const names = NIGHTS.map(({ zone }) => zone);
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: from, max: from + 40 * 365 * 86_400_000 }),
      fc.integer({ min: 1, max: 240 }),
      (name, at, months) => {
        const zone = zoneNamed(name);
        const [before, later] = [at, addPeriod(at, { months, ms: 0 }, zone)].map((ms) => new Date(localAt(ms, zone)));
        if (before === undefined || later === undefined) throw new Error('two dates were made');
        const apart =
          12 * (later.getUTCFullYear() - before.getUTCFullYear()) + later.getUTCMonth() - before.getUTCMonth();
        expect(apart).toBe(months);
        expect(later.getUTCDate()).toBeLessThanOrEqual(before.getUTCDate());
        const drift = (later.getTime() - before.getTime()) % 86_400_000;
        // A skipped time of day moves on by at most the change of the clocks.
        expect(drift).toBeGreaterThanOrEqual(0);
        expect(drift).toBeLessThanOrEqual(3_600_000);
      },
    ),
    { numRuns: 1000 },
  );
});
