/**
 * Rules about single values that the schema cannot say: durations, delays, schedules, filters, counts, outcomes.
 *
 * What is judged here is literal. A value with `${ … }` is judged when it is there, at run time.
 */
import { hasCalendarUnits, MAX_DURATION_MS } from '../duration.ts';
import type { IssueList } from '../issue.ts';
import { isList, isObject, listOf } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import { parseTimestamp } from '../timestamps.ts';
import type { DelayNode, JsonObject, Node, RetryPolicy } from '../types.ts';
import { checkApproval, DEFAULT_OUTCOMES } from './approvals.ts';
import type { Rule } from './context.ts';
import {
  checkDuration,
  checkDurations,
  checkPath,
  checkPathKeys,
  exactlyOne,
  isTemplate,
  judgeDuration,
  type Place,
} from './literals.ts';
import type { NodeOutline } from './outline.ts';
import { triggersOf } from './triggers.ts';

export const checkValues: Rule = ({ outline, issues }) => {
  const { document } = outline;
  checkDurations(document, ['timeout'], { keys: [], issues });
  if (isObject(document['defaults'])) checkAction(document['defaults'], { keys: ['defaults'], issues });
  for (const { keys, trigger } of triggersOf(document['trigger'])) checkTrigger(trigger, keys, issues);
  for (const [index, path] of listOf(document['redact']).entries()) {
    if (typeof path === 'string') checkPath(path, { keys: ['redact', index], issues });
  }
  for (const outlined of outline.nodes) {
    if (outlined.node !== null) checkNode(outlined.node, outlined, issues);
  }
};

function checkNode(node: Node, { keys: nodeKeys, raw }: NodeOutline, issues: IssueList): void {
  const config = isObject(raw['config']) ? raw['config'] : {};
  const place = { keys: [...nodeKeys, 'config'], issues };
  const nodePlace = { keys: nodeKeys, issues };
  switch (node.type) {
    case 'action':
      checkAction(config, place);
      checkDurations(config, ['heartbeat'], place);
      return;
    case 'delay':
      checkDelay(node, place);
      return;
    case 'event':
      checkDurations(config, ['timeout', 'lookback'], place);
      checkPathKeys(node.config.correlate, { keys: [...place.keys, 'correlate'], issues });
      checkOutcomes(node, [...[node.config.event].flat(), 'timeout'], nodePlace);
      return;
    case 'approval':
      checkApproval(node, place);
      checkOutcomes(node, [...(node.config.outcomes ?? DEFAULT_OUTCOMES), 'timeout'], nodePlace);
      return;
    case 'parallel':
      checkCount(node.config.join, node.config.branches.length, place);
      return;
    case 'scope':
      checkDurations(config, ['timeout'], place);
      return;
    case 'workflow':
      checkDurations(config, ['timeout'], place);
      exactlyOne(config, ['definitionId', 'workflowType'], place);
      return;
    default:
      return;
  }
}

function checkAction(config: JsonObject, { keys, issues }: Place): void {
  checkDurations(config, ['timeout', 'deadline'], { keys, issues });
  const retry = config['retry'];
  if (!isObject(retry)) return;
  const retryKeys = [...keys, 'retry'];
  checkDurations(retry, ['initialInterval', 'maxInterval'], { keys: retryKeys, issues });
  const { initialInterval, maxInterval } = retry as RetryPolicy;
  if (typeof initialInterval !== 'string' || typeof maxInterval !== 'string') return;
  const [first, longest] = [judgeDuration(initialInterval), judgeDuration(maxInterval)];
  if (typeof first === 'number' && typeof longest === 'number' && longest < first) {
    const message = `"maxInterval" (${maxInterval}) is shorter than "initialInterval" (${initialInterval})`;
    issues.add('definition.invalid_value', [...retryKeys, 'maxInterval'], message);
  }
}

const DELAY_FIELDS = ['delayMs', 'duration', 'until', 'cron'];

function checkDelay({ config }: DelayNode, { keys, issues }: Place): void {
  exactlyOne(config, DELAY_FIELDS, { keys, issues });
  const { delayMs, duration, until } = config;
  if (delayMs !== undefined && !isTemplate(delayMs) && !isDelayMs(delayMs)) {
    const message = `"delayMs" is ${JSON.stringify(delayMs)}; it must be a whole number of milliseconds from 0`;
    issues.add('definition.invalid_value', [...keys, 'delayMs'], message);
  }
  if (duration !== undefined && !isTemplate(duration) && !hasCalendarUnits(duration)) {
    checkDuration(duration, { keys: [...keys, 'duration'], issues }, true);
  }
  if (until !== undefined && !isTemplate(until) && !isMoment(until)) {
    const message = `${JSON.stringify(until.slice(0, 100))} is no moment; write it as "2027-01-31T12:00:00Z"`;
    issues.add('definition.invalid_value', [...keys, 'until'], message);
  }
}

function isDelayMs(value: number | string): boolean {
  const ms = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= MAX_DURATION_MS;
}

/** A timestamp; without an offset it is local to the delay's `timeZone`. */
function isMoment(text: string): boolean {
  return parseTimestamp(text) !== null || parseTimestamp(`${text}Z`) !== null;
}

function checkTrigger(trigger: JsonObject, keys: Keys, issues: IssueList): void {
  const { schedule, filters } = trigger;
  if (isObject(schedule)) {
    const at = { keys: [...keys, 'schedule'], issues };
    exactlyOne(schedule, ['cron', 'every'], at);
    checkDurations(schedule, ['every', 'catchUp'], at);
    if (typeof schedule['jitter'] === 'string') {
      checkDuration(schedule['jitter'], { keys: [...at.keys, 'jitter'], issues }, true);
    }
  }
  if (!isObject(filters)) return;
  checkPathKeys(filters, { keys: [...keys, 'filters'], issues });
  for (const [path, test] of Object.entries(filters)) {
    const at = [...keys, 'filters', path];
    if (isObject(test) && Object.keys(test).every((key) => key.startsWith('x-'))) {
      issues.add('definition.invalid_value', at, 'a filter needs at least one operator');
    } else if (isList(test) && test.length === 0) {
      issues.add('definition.invalid_value', at, 'a list of no values matches nothing');
    }
  }
}

function checkOutcomes(node: Node, outcomes: readonly string[], { keys, issues }: Place): void {
  for (const outcome of Object.keys(node.transitions ?? {})) {
    if (outcomes.includes(outcome)) continue;
    const message = `"${node.id}" cannot end with "${outcome}"; its outcomes are ${outcomes.join(', ')}`;
    issues.add('definition.unknown_outcome', [...keys, 'transitions', outcome], message);
  }
}

function checkCount(join: unknown, branches: number, { keys, issues }: Place): void {
  const count = typeof join === 'object' && join !== null && 'count' in join ? join.count : null;
  if (typeof count !== 'number' || count <= branches) return;
  const message = `"count" asks for ${count} branches, but there are ${branches}`;
  issues.add('definition.quorum_impossible', [...keys, 'join', 'count'], message);
}
