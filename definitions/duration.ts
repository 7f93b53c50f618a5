/**
 * Stretches of time as people write them: `"2h"`, `"1d12h"`, `"500ms"`, or ISO 8601 `"PT2H"`, `"P1DT12H"`, `"P2W"`.
 *
 * What it is not: calendars. A day is 24 hours. Months and years have no fixed length: {@link parseDuration} refuses
 * them, {@link parsePeriod} keeps them apart for whoever has a calendar (`time/months.ts`).
 */
import { RunError } from './errors.ts';
import { excerpt } from './excerpt.ts';

/** Longest duration, 100 years: beyond it Temporal's own arithmetic (nanoseconds in 64 bits) comes near its end. */
export const MAX_DURATION_MS = 100 * 365 * 24 * 3600 * 1000;
const MAX_MONTHS = 1200;

const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const UNIT_ORDER = ['w', 'd', 'h', 'm', 's', 'ms'] as const;
const LONGEST_TEXT = 100;
const SHORT_PART = /(\d{1,15})(?:\.(\d{1,9}))?(ms|[wdhms])/gy;
const ISO =
  /^P(?:(\d{1,15})Y)?(?:(\d{1,15})M)?(?:(\d{1,15})W)?(?:(\d{1,15})D)?(?:T(?:(\d{1,15})H)?(?:(\d{1,15})M)?(?:(\d{1,15})(?:[.,](\d{1,9}))?S)?)?$/;

/**
 * The milliseconds of a duration, a whole number from 0 to {@link MAX_DURATION_MS}.
 *
 * @throws RunError `EXPRESSION_ERROR` naming the text, for anything that is no duration, is negative or too long, has
 * months or years, or is no whole number of milliseconds.
 * @example
 * parseDuration('1d12h') === 129_600_000
 */
export function parseDuration(text: string): number {
  const { months, ms } = parsePeriod(text);
  if (months === 0) return ms;
  throw refusal(text, 'has months or years, whose length depends on the calendar; use days, as in "30d"');
}

/** A stretch of time of which months are counted on a calendar. */
export interface Period {
  /** Years too, as twelve each. */
  readonly months: number;
  /** All smaller units. */
  readonly ms: number;
}

/**
 * The same, with months and years, as in `"P1M"`.
 *
 * @throws RunError as {@link parseDuration} does
 */
export function parsePeriod(text: string): Period {
  const parsed = text.length > LONGEST_TEXT ? null : text.startsWith('P') ? readIso(text) : readShort(text);
  if (parsed === null) throw refusal(text, 'is no duration; write it as "90s", "2h", "1d12h" or "PT2H"');
  if (!Number.isSafeInteger(parsed.ms)) throw refusal(text, 'is no whole number of milliseconds');
  if (parsed.months > MAX_MONTHS || parsed.ms > MAX_DURATION_MS) throw refusal(text, 'is longer than 100 years');
  return parsed;
}

function refusal(text: string, why: string): RunError {
  const shown = excerpt(text, LONGEST_TEXT);
  return new RunError('EXPRESSION_ERROR', `${JSON.stringify(shown)} ${why}`, { value: shown });
}

/** Units must come from large to small, each once, so that a slip such as `"1h2h"` is seen. */
function readShort(text: string): Period | null {
  let total = 0;
  let end = 0;
  let order = -1;
  for (const match of text.matchAll(SHORT_PART)) {
    const [whole, count, fraction, unit] = match;
    const at = UNIT_ORDER.indexOf(unit as keyof typeof UNITS);
    if (at <= order) return null;
    order = at;
    end += whole.length;
    total += amount(count ?? '0', fraction, UNITS[unit as keyof typeof UNITS]);
  }
  return end > 0 && end === text.length ? { months: 0, ms: total } : null;
}

function readIso(text: string): Period | null {
  const match = ISO.exec(text);
  if (match === null || text.endsWith('T') || text === 'P') return null;
  const [, years, months, weeks, days, hours, minutes, seconds, fraction] = match;
  const ms =
    amount(weeks ?? '0', undefined, UNITS.w) +
    amount(days ?? '0', undefined, UNITS.d) +
    amount(hours ?? '0', undefined, UNITS.h) +
    amount(minutes ?? '0', undefined, UNITS.m) +
    amount(seconds ?? '0', fraction, UNITS.s);
  return { months: Number(years ?? '0') * 12 + Number(months ?? '0'), ms };
}

/** Counts the fraction in whole digits: `1.1 * 3_600_000` in doubles would not be whole. */
function amount(count: string, fraction: string | undefined, unit: number): number {
  const whole = Number(count) * unit;
  return fraction === undefined ? whole : whole + (Number(fraction) * unit) / 10 ** fraction.length;
}
