import { expect, test } from 'vitest';
import { FermataError } from '../../../definitions/fermata-error.ts';
import { readCalendar } from '../../../definitions/time/calendar-schema.ts';
import { OFFICE } from '../../time/calendars.ts';

test('a calendar is read as a value, as JSON and as YAML', () => {
  expect(readCalendar(OFFICE)).toEqual(OFFICE);
  expect(readCalendar(JSON.stringify(OFFICE))).toEqual(OFFICE);
  const text = 'name: shop\ntimeZone: UTC\nweek: { saturday: ["10:00-24:00"] }\nholidays: ["02-29"]\n';
  expect(readCalendar(text)).toEqual({
    name: 'shop',
    timeZone: 'UTC',
    week: { saturday: ['10:00-24:00'] },
    holidays: ['02-29'],
  });
});

function pathsOf(document: unknown): readonly string[] {
  try {
    readCalendar(document);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(FermataError);
    const { code, details } = error as FermataError & { details: { issues: { path: string }[] } };
    expect(code).toBe('calendar.invalid');
    return details.issues.map(({ path }) => path);
  }
}

test.each<[string, object, string[]]>([
  ['a name that is none', { name: 'Büro' }, ['/name']],
  ['an unknown zone', { timeZone: 'Mars/Phobos' }, ['/timeZone']],
  ['an unknown field', { weeks: {} }, ['/weeks']],
  ['an unknown weekday', { week: { monday: ['09:00-10:00'], mon: [] } }, ['/week/mon']],
  ['hours that are none', { week: { monday: ['9-5', '25:00-26:00'] } }, ['/week/monday/0', '/week/monday/1']],
  ['hours that end before they begin', { week: { monday: ['17:00-09:00'] } }, ['/week/monday/0']],
  ['hours that overlap', { week: { monday: ['09:00-12:00', '11:00-13:00'] } }, ['/week/monday/1']],
  ['a week without hours', { week: { monday: [] } }, ['/week']],
  [
    'a date that is none',
    { holidays: ['2027-02-29', '13-01', 'christmas'] },
    ['/holidays/0', '/holidays/1', '/holidays/2'],
  ],
  ['an exception of no date', { exceptions: { '12-25': [] } }, ['/exceptions/12-25']],
])('%s is refused at its place', (_, change, paths) => {
  expect(pathsOf({ ...OFFICE, ...change })).toEqual(paths);
});

test.each([[null], [[]], ['x'], [{}]])('%j is refused', (document) => {
  expect(pathsOf(document).length).toBeGreaterThan(0);
});

test('a calendar is at most as large as an input', () => {
  const holidays = Array.from({ length: 30_000 }, () => '2027-05-06');
  expect(() => readCalendar({ ...OFFICE, holidays })).toThrow('the limit is 262144');
});
