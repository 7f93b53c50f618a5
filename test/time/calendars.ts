/** Calendars of the tests. */
import type { Calendar } from '../../definitions/time/calendar.ts';

const DAY = ['09:00-12:00', '13:00-18:00'];

export const OFFICE: Calendar = {
  name: 'office',
  timeZone: 'Europe/Paris',
  week: { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: ['09:00-12:00'] },
  holidays: ['12-25', '2027-05-06'],
  exceptions: { '2026-12-24': ['09:00-12:00'], '2031-12-24': ['09:00-12:00'] },
};
