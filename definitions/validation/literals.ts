/**
 * How rules judge literal values: durations, paths, templates, fields of which one is needed.
 */
import { parseCron } from '../cron.ts';
import { parseDuration } from '../duration.ts';
import { RunError } from '../errors.ts';
import { excerpt } from '../excerpt.ts';
import type { IssueList } from '../issue.ts';
import { type Keys, parsePath } from '../json/path.ts';
import type { Json, JsonObject } from '../types.ts';
import { isTimeZone } from './time-zones.ts';

/** Where a rule looks, and where it reports. */
export interface Place {
  readonly keys: Keys;
  readonly issues: IssueList;
}

/** Whether a value is computed at run time. `$${` is a literal `${`. */
export function isTemplate(value: Json | undefined): boolean {
  return typeof value === 'string' && /(?<!\$)\$\{/.test(value);
}

/** The words with which a reader refuses its text; `null`: it does not. */
export function refusalOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof RunError) return error.message;
    throw error;
  }
}

/** The milliseconds of a duration, or the words that refuse it. */
export function judgeDuration(text: string): number | string {
  return refusalOf(() => parseDuration(text)) ?? parseDuration(text);
}

/** Adds an issue for a duration that is none, or is zero where `zero` does not allow it. */
export function checkDuration(text: string, { keys, issues }: Place, zero = false): void {
  const judged = judgeDuration(text);
  if (typeof judged === 'string') issues.add('definition.invalid_value', keys, judged);
  else if (judged === 0 && !zero) {
    issues.add('definition.invalid_value', keys, `"${keys.at(-1)}" must be longer than zero`);
  }
}

/** Checks those of the `fields` that are there. */
export function checkDurations(object: JsonObject, fields: readonly string[], { keys, issues }: Place): void {
  for (const field of fields) {
    const value = object[field];
    if (typeof value === 'string') checkDuration(value, { keys: [...keys, field], issues });
  }
}

/** Adds an issue unless exactly one of the `fields` is there. */
export function exactlyOne(object: JsonObject, fields: readonly string[], { keys, issues }: Place): void {
  const given = fields.filter((field) => object[field] !== undefined);
  if (given.length === 1) return;
  const names = fields.map((field) => `"${field}"`).join(', ');
  const found = given.length === 0 ? 'none is' : `${given.map((field) => `"${field}"`).join(' and ')} are`;
  issues.add('definition.exclusive_fields', keys, `exactly one of ${names} is needed, but ${found} given`);
}

/** Adds an issue for a text that is no path. */
export function checkPath(path: string, { keys, issues }: Place): void {
  if (parsePath(path) !== null) return;
  const message = `${JSON.stringify(path)} is no path; write company.size, items[0] or ["a.b"]`;
  issues.add('definition.invalid_value', keys, message);
}

/** Checks the keys of an object as paths. */
export function checkPathKeys(object: object | undefined, { keys, issues }: Place): void {
  for (const path of Object.keys(object ?? {})) checkPath(path, { keys: [...keys, path], issues });
}

/** Adds an issue for a literal cron pattern that is none or never fires. */
export function checkCron(cron: Json | undefined, { keys, issues }: Place): void {
  if (typeof cron !== 'string' || isTemplate(cron)) return;
  const refusal = refusalOf(() => parseCron(cron));
  if (refusal !== null) issues.add('definition.invalid_value', keys, refusal);
}

/** Adds an issue for a literal name that is no time zone. */
export function checkTimeZone(name: Json | undefined, { keys, issues }: Place): void {
  if (typeof name !== 'string' || isTemplate(name) || isTimeZone(name)) return;
  const message = `${JSON.stringify(excerpt(name, 80))} is no time zone; write it as "Europe/Paris", "UTC" or "+02:00"`;
  issues.add('definition.invalid_value', keys, message);
}
