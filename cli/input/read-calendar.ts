/**
 * Calendars from files.
 */
import { type Calendar, readCalendar } from '../../definitions/index.ts';
import type { Io } from '../io.ts';
import { readText } from './read-file.ts';
import { naming } from './read-json.ts';

/** @throws FermataError `calendar.invalid` or `json.invalid` whose message names the file; `usage.invalid` */
export async function readCalendarFile(io: Io, file: string): Promise<Calendar> {
  const { name, text } = await readText(io, file);
  return naming(name, () => readCalendar(text));
}
