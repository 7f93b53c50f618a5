/**
 * One version of a calendar for people: what is known of it, its week, and the days that differ.
 */
import type { Calendar } from '../../definitions/index.ts';
import { type Paint, plain } from './paint.ts';
import { fieldsText, tableText } from './table.ts';
import { timeText } from './times.ts';

export interface ShownCalendar {
  readonly name: string;
  readonly version: number;
  readonly document: Calendar;
  readonly createdAt: Date;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export function calendarText(paint: Paint, { name, version, document, createdAt }: ShownCalendar): string {
  const { description, timeZone, week, holidays = [], exceptions = {} } = document;
  const fields = fieldsText(paint, [
    ['calendar', paint.bold(plain(name))],
    ...(description === undefined ? [] : [['description', plain(description)] as const]),
    ['version', String(version)],
    ['stored', timeText(createdAt)],
    ['time zone', plain(timeZone)],
  ]);
  const days = [
    ...DAYS.map((day) => [day, week[day] ?? []] as const),
    ...Object.entries(exceptions),
    ...holidays.map((day) => [day, []] as const),
  ];
  const rows = days.map(([day, hours]) => [plain(day), hours.map(plain).join(', ') || paint.dim('closed')]);
  return `${fields}\n\n${tableText(paint, ['DAY', 'HOURS'], rows)}`;
}
