/**
 * Rule about triggers: schedules that fire, filters that something can pass.
 */
import type { IssueList } from '../issue.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { JsonObject } from '../types.ts';
import type { Rule } from './context.ts';
import { checkCron, checkDuration, checkDurations, checkPathKeys, checkTimeZone, exactlyOne } from './literals.ts';
import { triggersOf } from './triggers.ts';

export const checkTriggers: Rule = ({ outline, issues }) => {
  for (const { keys, trigger } of triggersOf(outline.document['trigger'])) {
    const { schedule, filters } = trigger;
    if (isObject(schedule)) checkSchedule(schedule, [...keys, 'schedule'], issues);
    if (isObject(filters)) checkFilters(filters, [...keys, 'filters'], issues);
  }
};

function checkSchedule(schedule: JsonObject, keys: Keys, issues: IssueList): void {
  const { cron, timeZone, jitter } = schedule;
  exactlyOne(schedule, ['cron', 'every'], { keys, issues });
  checkDurations(schedule, ['every', 'catchUp'], { keys, issues });
  if (typeof jitter === 'string') checkDuration(jitter, { keys: [...keys, 'jitter'], issues }, true);
  checkCron(cron, { keys: [...keys, 'cron'], issues });
  checkTimeZone(timeZone, { keys: [...keys, 'timeZone'], issues });
}

function checkFilters(filters: JsonObject, keys: Keys, issues: IssueList): void {
  checkPathKeys(filters, { keys, issues });
  for (const [path, test] of Object.entries(filters)) {
    if (isObject(test) && Object.keys(test).every((key) => key.startsWith('x-'))) {
      issues.add('definition.invalid_value', [...keys, path], 'a filter needs at least one operator');
    } else if (isList(test) && test.length === 0) {
      issues.add('definition.invalid_value', [...keys, path], 'a list of no values matches nothing');
    }
  }
}
