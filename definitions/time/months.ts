/**
 * Months and years on the calendar of a zone.
 *
 * Invariants:
 * 1. The day of the month stays, or is cut to the end of a shorter month; the time of day on the zone's clocks stays.
 * 2. Weeks, days and smaller units are lengths: a day is 24 hours, also over a night on which the clocks change.
 */
import type { Period } from '../duration.ts';
import { localAt, momentOf, type Zone } from './zone.ts';

/** The moment a period after another: first its months on the calendar of the zone, then the rest as a length. */
export function addPeriod(from: number, { months, ms }: Period, zone: Zone): number {
  return (months === 0 ? from : momentOf(addMonths(localAt(from, zone), months), zone)) + ms;
}

function addMonths(local: number, months: number): number {
  const date = new Date(local);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
