import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, parseTimestamp } from '../../definitions/timestamps.ts';

test.each([
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31t12:00:00z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31 12:00:00.5+02:00', '2027-01-31T10:00:00.500Z'],
  ['2027-01-31T23:30:00.123456789-05:30', '2027-02-01T05:00:00.123Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('%s is %s', (text, iso) => {
  const ms = parseTimestamp(text);
  expect(ms === null ? null : isoTime(ms)).toBe(iso);
});

test.each([
  '',
  'next tuesday',
  '2027-01-31',
  '2027-01-31T12:00:00',
  '2027-13-01T00:00:00Z',
  '2027-00-01T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2027-04-31T00:00:00Z',
  '2027-01-01T24:00:00Z',
  '2027-01-01T00:60:00Z',
  '2027-01-01T00:00:60Z',
  '2027-01-01T00:00:00+24:00',
  '2027-01-01T00:00:00+0200',
  '27-01-01T00:00:00Z',
  ' 2027-01-01T00:00:00Z',
])('%j is no timestamp', (text) => {
  expect(parseTimestamp(text)).toBeNull();
});

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
      expect(parseTimestamp(isoTime(ms))).toBe(ms);
    }),
  );
});
