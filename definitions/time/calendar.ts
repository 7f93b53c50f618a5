/**
 * Working-time calendars: when people of a place work.
 *
 * What it is: the document, and its hours read into minutes. What it is not: counting; that needs the data of the
 * calendar's zone (`time/working-time.ts`).
 */

/** Working hours of a day as local times, `"09:00-12:30"`, in order; `"24:00"` is the end of the day. */
export type Hours = readonly string[];

export interface Calendar {
  /** `^[a-z0-9][a-z0-9._-]{0,62}$` */
  readonly name: string;
  readonly description?: string;
  /** An IANA name, `UTC` or a fixed offset such as `+02:00`. */
  readonly timeZone: string;
  /** A weekday that is missing has no working time. */
  readonly week: { readonly [day in Weekday]?: Hours };
  /** Days without working time: `"2027-05-06"`, or `"12-25"` for every year. */
  readonly holidays?: readonly string[];
  /** Days with hours of their own, by date; they count before holidays. */
  readonly exceptions?: { readonly [date: string]: Hours };
}

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** From and to, in ms since the local midnight. */
export type Interval = readonly [from: number, to: number];

const HOURS = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** One stretch of working hours; `null`: the text is none. */
export function parseHours(text: string): Interval | null {
  const [fromHour, fromMinute, toHour, toMinute] = (HOURS.exec(text)?.slice(1) ?? []).map(Number);
  if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined) return null;
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  if (fromMinute > 59 || toMinute > 59 || from >= to || to > DAY_MINUTES) return null;
  return [from * MINUTE_MS, to * MINUTE_MS];
}

/** The working hours of local days, given as date `2027-01-31` and weekday from Sunday, 0. */
export function hoursByDay(calendar: Calendar): (date: string, weekday: number) => readonly Interval[] {
  const week = WEEKDAYS.map((day) => intervalsOf(calendar.week[day]));
  const holidays = new Set(calendar.holidays);
  const exceptions = new Map(Object.entries(calendar.exceptions ?? {}));
  return (date, weekday) => {
    const exception = exceptions.get(date);
    if (exception !== undefined) return intervalsOf(exception);
    return holidays.has(date) || holidays.has(date.slice(5)) ? [] : (week[weekday] ?? []);
  };
}

function intervalsOf(hours: Hours = []): readonly Interval[] {
  return hours.map(parseHours).filter((interval) => interval !== null);
}
