import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DURATION_MS, parseDuration, parsePeriod } from '../../definitions/duration.ts';
import { RunError } from '../../definitions/errors.ts';

test.each([
  ['500ms', 500],
  ['1s', 1000],
  ['0s', 0],
  ['2h', 7_200_000],
  ['1d12h', 129_600_000],
  ['1w', 604_800_000],
  ['1.5h', 5_400_000],
  ['1.1h', 3_960_000],
  ['0.001s', 1],
  ['1w2d3h4m5s6ms', 788_645_006],
  ['364d', 31_449_600_000],
  ['PT2H', 7_200_000],
  ['P1DT12H', 129_600_000],
  ['P2W', 1_209_600_000],
  ['PT0.5S', 500],
  ['PT1,5S', 1500],
  ['PT36H30M', 131_400_000],
  ['P0D', 0],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  '',
  ' ',
  '5',
  '5 minutes',
  '1 h',
  '-1s',
  '+1s',
  '1h2h',
  '1m1h',
  'h',
  '1H',
  '1.s',
  '.5s',
  '1e3s',
  '1s ',
  '1µs',
  'P',
  'PT',
  'P1DT',
  'P1H',
  'pt2h',
  'PT2.5H',
  '0.0001s',
  '101y',
  '99999999999999w',
  '1'.repeat(1000),
  '1d'.repeat(60),
  'infinity',
  'P-1D',
])('%j is no duration, and the refusal names it', (text) => {
  expect(() => parseDuration(text)).toThrow(RunError);
  expect(() => parseDuration(text)).toThrow(JSON.stringify(text).slice(0, 20));
});

test('months and years have no fixed length', () => {
  for (const text of ['P1M', 'P1Y', 'P1Y2M3DT4H']) {
    expect(parsePeriod(text).months).toBeGreaterThan(0);
    expect(() => parseDuration(text)).toThrow('depends on the calendar');
  }
  for (const text of ['PT1M', 'P1D', '1m', 'P0M']) expect(parsePeriod(text).months).toBe(0);
});

test.each([
  ['P1M', { months: 1, ms: 0 }],
  ['P1Y2M3DT4H', { months: 14, ms: 76 * 3_600_000 }],
  ['P100Y', { months: 1200, ms: 0 }],
  ['2h', { months: 0, ms: 7_200_000 }],
])('%s is a period of months and the rest', (text, period) => {
  expect(parsePeriod(text)).toEqual(period);
});

test.each(['P101Y', 'P1201M', 'P', 'P1', 'P-1M', 'P1.5M', 'month'])('%j is no period', (text) => {
  expect(() => parsePeriod(text)).toThrow(RunError);
});

test('a duration is at most 100 years', () => {
  expect(parseDuration(`${MAX_DURATION_MS}ms`)).toBe(MAX_DURATION_MS);
  expect(() => parseDuration(`${MAX_DURATION_MS + 1}ms`)).toThrow('longer than 100 years');
});

test('the parts add up', () => {
  const part = fc.nat(50);
  fc.assert(
    fc.property(part, part, part, part, (d, h, m, s) => {
      const ms = (((d * 24 + h) * 60 + m) * 60 + s) * 1000;
      expect(parseDuration(`${d}d${h}h${m}m${s}s`)).toBe(ms);
      expect(parseDuration(`P${d}DT${h}H${m}M${s}S`)).toBe(ms);
    }),
  );
});

test('any text is taken or refused, never anything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'P0123456789.,TYMWDHSmshdw '.split('')) }), (text) => {
      try {
        expect(Number.isSafeInteger(parseDuration(text))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(RunError);
      }
    }),
  );
});
