/**
 * The answer to a question about time, by this host's zone data and the calendars it is given.
 *
 * What it is: the one way from a question to a moment, for the worker's activity, the simulator and, later, schedules.
 * What it is not: the place where calendars are kept; `calendars` finds them.
 */
import { parseCron } from '../definitions/cron.ts';
import { parsePeriod } from '../definitions/duration.ts';
import { RunError } from '../definitions/errors.ts';
import type { Calendar } from '../definitions/time/calendar.ts';
import { addPeriod } from '../definitions/time/months.ts';
import type {
  CalendarQuestion,
  CalendarReference,
  MomentQuestion,
  TimeAnswer,
  TimeQuestion,
} from '../definitions/time/question.ts';
import { momentOf } from '../definitions/time/zone.ts';
import { parseLocalTime } from '../definitions/timestamps.ts';
import { zoneNamed } from './named-zone.ts';
import { nextFiring } from './next-firing.ts';
import { afterWorking, openingAt } from './working-time.ts';

/** A calendar and which version it is. */
export interface CalendarVersion {
  readonly version: number;
  readonly document: Calendar;
}

/** Finds a calendar; `null`: there is no such calendar or version. */
export type CalendarLookup = (wanted: CalendarReference) => Promise<CalendarVersion | null>;

/** @throws RunError `EXPRESSION_ERROR` for a value that means no moment, `CALENDAR_NOT_FOUND` */
export async function answerTime(question: TimeQuestion, calendars: CalendarLookup): Promise<TimeAnswer> {
  if (question.kind !== 'working' && question.kind !== 'opening') return { at: momentFor(question), version: null };
  const found = await calendars(question);
  if (found === null) throw calendarNotFound(question);
  return { at: countOn(found.document, question), version: found.version };
}

/** The moment of a question that needs no calendar. @throws RunError `EXPRESSION_ERROR` */
export function momentFor(question: MomentQuestion): number {
  const zone = zoneNamed(question.timeZone);
  switch (question.kind) {
    case 'cron': {
      const at = nextFiring(parseCron(question.cron), question.after, zone);
      if (at === null) throw new RunError('EXPRESSION_ERROR', `${JSON.stringify(question.cron)} never fires again`);
      return at;
    }
    case 'local': {
      const local = parseLocalTime(question.text);
      if (local !== null) return momentOf(local, zone);
      throw new RunError('EXPRESSION_ERROR', `${JSON.stringify(question.text)} is no local time`);
    }
    case 'add':
      return addPeriod(question.from, parsePeriod(question.duration), zone);
  }
}

function countOn(calendar: Calendar, question: CalendarQuestion): number {
  const zone = zoneNamed(calendar.timeZone);
  if (question.kind === 'working') return afterWorking(calendar, zone, question);
  const { of } = question;
  return openingAt(calendar, zone, typeof of === 'number' ? of : momentFor(of));
}

function calendarNotFound({ calendar, version }: CalendarReference): RunError {
  const which = version === null ? '' : `version ${version} of `;
  const message = `there is no ${which}calendar "${calendar}"; store it with \`fermata calendars put FILE\``;
  return new RunError('CALENDAR_NOT_FOUND', message, { calendar, version });
}
