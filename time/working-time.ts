/**
 * Counting working time by a calendar.
 *
 * Invariants:
 * 1. Hours are local times of the calendar's zone, their length is real: on the night the clocks go forward a shift
 *    over the change is an hour shorter.
 * 2. The end of a count is the earliest moment at which so much has passed: after eight hours from opening at 9:00 it is
 *    closing time at 17:00, not the next morning. No working time has passed at once.
 */
import { RunError } from '../definitions/errors.ts';
import { LIMITS } from '../definitions/limits.ts';
import { type Calendar, hoursByDay } from '../definitions/time/calendar.ts';
import { DAY_MS, localAt, momentOf, type Zone } from '../definitions/time/zone.ts';

/** The moment at which `ms` of working time have passed since `from`. @throws RunError `EXPRESSION_ERROR` */
export function afterWorking(calendar: Calendar, zone: Zone, { from, ms }: { from: number; ms: number }): number {
  let left = ms;
  if (left === 0) return from;
  for (const [opens, closes] of shiftsFrom(calendar, zone, from)) {
    const begins = Math.max(opens, from);
    if (begins + left <= closes) return begins + left;
    left -= Math.max(0, closes - begins);
  }
  throw tooFar(calendar, `${ms} ms of working time are not over`);
}

/** The first working moment at or behind `at`. @throws RunError `EXPRESSION_ERROR` */
export function openingAt(calendar: Calendar, zone: Zone, at: number): number {
  for (const [opens, closes] of shiftsFrom(calendar, zone, at)) if (closes > at) return Math.max(opens, at);
  throw tooFar(calendar, 'nobody works');
}

/** Stretches of working time as moments, from those of the local day before `from` on, as long as a run may live. */
function* shiftsFrom(calendar: Calendar, zone: Zone, from: number): Generator<readonly [number, number]> {
  const hoursOf = hoursByDay(calendar);
  const today = Math.floor(localAt(from, zone) / DAY_MS) * DAY_MS;
  for (let day = today - DAY_MS; day < from + LIMITS.runTimeoutMs; day += DAY_MS) {
    const date = new Date(day);
    for (const [opens, closes] of hoursOf(date.toISOString().slice(0, 10), date.getUTCDay())) {
      yield [momentOf(day + opens, zone), momentOf(day + closes, zone)];
    }
  }
}

function tooFar({ name }: Calendar, what: string): RunError {
  const message = `by the calendar "${name}" ${what} within the 10 years that a run may live`;
  return new RunError('EXPRESSION_ERROR', message, { field: 'calendar', value: name });
}
