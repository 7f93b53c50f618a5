/** Time that needs the host's zone data: named zones, firings of cron patterns, working time. */
export { answerTime, type CalendarLookup, type CalendarVersion, momentFor } from './answer-time.ts';
export { zoneNamed } from './named-zone.ts';
export { nextFiring } from './next-firing.ts';
export { afterWorking, openingAt } from './working-time.ts';
