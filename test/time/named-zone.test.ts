import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedZone, localAt, momentsOf } from '../../definitions/time/zone.ts';
import { momentFor, zoneNamed } from '../../time/index.ts';
import { NIGHTS } from './zones.ts';

const local = (text: string): number => Date.parse(`${text}Z`);

describe.each(NIGHTS)('$zone', ({ zone: name, forward, skippedFrom, back, doubledFrom, changeMinutes }) => {
  const zone = zoneNamed(name);
  const change = changeMinutes * 60_000;

  test('a skipped local time means the first valid moment after it', () => {
    for (const minutes of [0, 1, changeMinutes - 1]) {
      const found = momentsOf(local(skippedFrom) + minutes * 60_000, zone);
      expect(found).toEqual({ first: Date.parse(forward), second: null, skipped: true });
    }
    expect(momentsOf(local(skippedFrom) + change, zone)).toMatchObject({ first: Date.parse(forward), skipped: false });
    expect(momentsOf(local(skippedFrom) - 1, zone)).toMatchObject({ first: Date.parse(forward) - 1, skipped: false });
  });

  test('a doubled local time means the first of the two', () => {
    for (const minutes of [0, 1, changeMinutes - 1]) {
      const later = Date.parse(back) + minutes * 60_000;
      const found = momentsOf(local(doubledFrom) + minutes * 60_000, zone);
      expect(found).toEqual({ first: later - change, second: later, skipped: false });
    }
    expect(momentsOf(local(doubledFrom) + change, zone).second).toBeNull();
  });
});

test('every moment is one of those that its local time means', () => {
  const zones = [...NIGHTS.map(({ zone }) => zone), 'Africa/Casablanca', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'];
  const from = Date.parse('1980-01-01T00:00Z');
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: from, max: from + 80 * 365 * 86_400_000 }), (name, at) => {
      const { first, second, skipped } = momentsOf(localAt(at, zoneNamed(name)), zoneNamed(name));
      expect([first, second]).toContain(at);
      expect(skipped).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('a day that a zone left out means the first moment behind it', () => {
  const at = momentFor({ kind: 'local', text: '2011-12-30T12:00', timeZone: 'Pacific/Apia' });
  expect(new Date(at).toISOString()).toBe('2011-12-30T10:00:00.000Z');
});

test.each([
  ['UTC', 0],
  ['Etc/UTC', 0],
  ['+02:00', 120],
  ['-05:30', -330],
  ['+00:00', 0],
])('%s is fixed at %d minutes', (name, minutes) => {
  expect((fixedZone(name)?.offsetAt(0) ?? NaN) / 60_000).toBe(minutes);
  expect(zoneNamed(name).offsetAt(0) / 60_000).toBe(minutes);
});

test.each(['+24:00', '+2:00', '+0200', 'Europe/Paris', ''])('%j is no fixed offset', (name) => {
  expect(fixedZone(name)).toBeNull();
});

test('an unknown zone is an error that shows it', () => {
  expect(() => zoneNamed('Mars/Phobos')).toThrow('not "Mars/Phobos"');
});
