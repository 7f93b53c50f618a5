/**
 * Rule about delays: exactly one moment, and where it is literal, one that there is.
 */
import { MAX_DURATION_MS, parsePeriod } from '../duration.ts';
import { excerpt } from '../excerpt.ts';
import { parseLocalTime, parseTimestamp } from '../timestamps.ts';
import { DEFINITION_ID } from '../schema/fields.ts';
import type { DelayNode } from '../types.ts';
import type { Rule } from './context.ts';
import { checkCron, checkTimeZone, exactlyOne, isTemplate, type Place, refusalOf } from './literals.ts';

const MOMENTS = ['delayMs', 'duration', 'until', 'cron'];

export const checkDelays: Rule = ({ outline, issues, calendars }) => {
  for (const { node, keys } of outline.nodes) {
    if (node?.type !== 'delay') continue;
    const place = { keys: [...keys, 'config'], issues };
    checkDelay(node, place);
    checkCalendar(node.config.calendar, calendars, { keys: [...place.keys, 'calendar'], issues });
  }
};

function checkDelay({ config }: DelayNode, place: Place): void {
  const { keys, issues } = place;
  exactlyOne(config, MOMENTS, place);
  const { delayMs, duration, until, cron, timeZone } = config;
  if (delayMs !== undefined && !isTemplate(delayMs) && !isDelayMs(delayMs)) {
    const message = `"delayMs" is ${JSON.stringify(delayMs)}; it must be a whole number of milliseconds from 0`;
    issues.add('definition.invalid_value', [...keys, 'delayMs'], message);
  }
  if (duration !== undefined && !isTemplate(duration)) {
    const refusal = refusalOf(() => parsePeriod(duration));
    if (refusal !== null) issues.add('definition.invalid_value', [...keys, 'duration'], refusal);
  }
  if (until !== undefined && !isTemplate(until) && parseTimestamp(until) === null && parseLocalTime(until) === null) {
    const message = `${JSON.stringify(until.slice(0, 100))} is no moment; write it as "2027-01-31T12:00:00Z"`;
    issues.add('definition.invalid_value', [...keys, 'until'], message);
  }
  checkCron(cron, { keys: [...keys, 'cron'], issues });
  checkTimeZone(timeZone, { keys: [...keys, 'timeZone'], issues });
}

function checkCalendar(name: string | undefined, known: readonly string[] | null, { keys, issues }: Place): void {
  if (name === undefined || isTemplate(name)) return;
  if (!DEFINITION_ID.test(name)) {
    const message = `${JSON.stringify(excerpt(name, 80))} cannot be the name of a calendar; write it as "office"`;
    issues.add('definition.invalid_value', keys, message);
  } else if (known !== null && !known.includes(name)) {
    const message = `no calendar "${name}" is stored; store it with \`fermata calendars put FILE\` before runs count on it`;
    issues.add('definition.unknown_calendar', keys, message);
  }
}

function isDelayMs(value: number | string): boolean {
  const ms = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= MAX_DURATION_MS;
}
