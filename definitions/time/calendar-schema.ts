/**
 * The form of a calendar document, and the door through which one comes in.
 *
 * Invariants:
 * 1. Unknown fields are refused at every level; every fault has the path of its place, all at once.
 * 2. A calendar that passes has some working time, in order and without overlaps.
 */
import { z } from 'zod';
import { FermataError } from '../fermata-error.ts';
import { parseJson } from '../json/json-reader.ts';
import { toJson } from '../json/json-value.ts';
import { toPointer } from '../json/path.ts';
import { jsonBytes } from '../json/size.ts';
import { parseYaml } from '../json/yaml-reader.ts';
import { LIMITS } from '../limits.ts';
import { parseTimestamp } from '../timestamps.ts';
import { DEFINITION_ID } from '../schema/fields.ts';
import { isTimeZone } from '../validation/time-zones.ts';
import { type Calendar, parseHours, WEEKDAYS } from './calendar.ts';

const hours = z
  .array(z.string())
  .max(48)
  .superRefine((written, context) => {
    let end = 0;
    for (const [index, text] of written.entries()) {
      const interval = parseHours(text);
      const fault =
        interval === null
          ? `${JSON.stringify(text.slice(0, 40))} is no working time; write it as "09:00-17:30"`
          : interval[0] < end
            ? `"${text}" begins before the one ahead of it ends`
            : null;
      if (fault !== null) context.addIssue({ code: 'custom', path: [index], message: fault });
      else if (interval !== null) end = interval[1];
    }
  });

const date = z.string().refine(isDate, 'it must be a date such as "2027-05-06"');
const holiday = z
  .string()
  .refine(
    (text) => isDate(text) || isDate(`2028-${text}`),
    'it must be a date such as "2027-05-06", or "12-25" for every year',
  );

const calendar = z
  .strictObject({
    name: z.string().regex(DEFINITION_ID),
    description: z.string().exactOptional(),
    timeZone: z.string().refine(isTimeZone, 'it is no time zone; write it as "Europe/Paris", "UTC" or "+02:00"'),
    week: z.strictObject(Object.fromEntries(WEEKDAYS.map((day) => [day, hours.exactOptional()]))),
    holidays: z.array(holiday).exactOptional(),
    exceptions: z.record(date, hours).exactOptional(),
  })
  .refine(({ week }) => Object.values(week).some((day) => (day?.length ?? 0) > 0), {
    path: ['week'],
    message: 'there is no working time in the week',
  });

/**
 * Reads a calendar, a value or the text of one in JSON or YAML.
 *
 * @throws FermataError `calendar.invalid` with all faults in `details.issues`, each with its JSON pointer; `json.invalid`,
 * `input.too_large`
 */
export function readCalendar(given: unknown): Calendar {
  const document = toJson(typeof given === 'string' ? readText(given) : given);
  const bytes = jsonBytes(document);
  if (bytes > LIMITS.inputBytes) {
    const message = `the calendar has ${bytes} bytes; the limit is ${LIMITS.inputBytes}`;
    throw new FermataError('input.too_large', message, { bytes, limit: LIMITS.inputBytes });
  }
  const read = calendar.safeParse(document);
  if (read.success) return document as unknown as Calendar;
  const issues = read.error.issues.flatMap((issue) => {
    const keys = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code !== 'unrecognized_keys') return [{ path: toPointer(keys), message: issue.message }];
    return issue.keys.map((key) => ({ path: toPointer([...keys, key]), message: `Unknown field "${key}"` }));
  });
  const listed = issues.map(({ path, message }) => `${path || 'the top'}: ${message}`).join('; ');
  throw new FermataError('calendar.invalid', `The calendar is not valid. ${listed}`, { issues });
}

function readText(text: string): unknown {
  return /^\uFEFF?\s*[[{]/.test(text) ? parseJson(text) : parseYaml(text);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00Z`) !== null;
}
