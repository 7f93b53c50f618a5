/**
 * Cron patterns: five fields, minute, hour, day of month, month and day of week, or a nickname such as `@daily`.
 *
 * What it is: reading a pattern, and the local times at which it fires, as if clocks never changed. What it is not:
 * zones; which moments those local times are, on the nights the clocks change too, is said in `time/next-firing.ts`.
 *
 * Invariants:
 * 1. The syntax is that of croner without seconds and years: lists, ranges, steps, names, `L` and `#`. Where day of
 *    month and day of week are both given, either suffices.
 */
import { Cron as CronerPattern } from 'croner';
import { RunError } from './errors.ts';
import { excerpt } from './excerpt.ts';

export interface Cron {
  /** The first local time of the pattern behind another; `null`: there is none. */
  nextAfter(local: number): number | null;
  /** Its minute or hour is `*` or a step: it fires at intervals, not at fixed times. */
  readonly isInterval: boolean;
  /** It fires in every hour of its days. */
  readonly isHourly: boolean;
}

const LONGEST_TEXT = 200;
const NICKNAMES: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const FIELDS = ['second', 'minute', 'hour', 'day of month', 'month', 'day of week'];

/**
 * Reads a pattern.
 *
 * @throws RunError `EXPRESSION_ERROR` naming the text, for what is no pattern or never fires.
 * @example
 * new Date(parseCron('0 9 * * MON').nextAfter(0) ?? 0).toISOString() === '1970-01-05T09:00:00.000Z'
 */
export function parseCron(text: string): Cron {
  const trimmed = text.trim().toLowerCase();
  const fields = trimmed.split(/\s+/);
  if (text.length > LONGEST_TEXT || !(NICKNAMES.has(trimmed) || fields.length === 5)) {
    throw refusal(text, 'is no cron pattern; write five fields: minute, hour, day of month, month, day of week');
  }
  const pattern = read(text, trimmed);
  if (pattern.nextRun(new Date(0)) === null) throw refusal(text, 'never fires: there is no such day');
  const [minute = '', hour = ''] = trimmed === '@hourly' ? ['0', '*'] : fields;
  return {
    nextAfter: (local) => pattern.nextRun(new Date(local))?.getTime() ?? null,
    isInterval: minute.startsWith('*') || hour.startsWith('*'),
    isHourly: /^\*(\/1)?$/.test(hour),
  };
}

function read(text: string, pattern: string): CronerPattern {
  try {
    return new CronerPattern(pattern, { utcOffset: 0, paused: true, mode: '5-part' });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const why = said
      .replace(/^CronPattern: (Syntax error, )?/, '')
      .replace(/configuration entry (\d)/, (whole, index) => FIELDS[Number(index)] ?? whole);
    throw refusal(text, `is no cron pattern: ${why.charAt(0).toLowerCase()}${excerpt(why.slice(1), LONGEST_TEXT)}`);
  }
}

function refusal(text: string, why: string): RunError {
  const shown = excerpt(text, LONGEST_TEXT);
  return new RunError('EXPRESSION_ERROR', `${JSON.stringify(shown)} ${why}`, { value: shown });
}
