/**
 * Rules about approvals: who may decide, how many, and with which outcome.
 */
import { isList } from '../json/json-kinds.ts';
import type { ApprovalConfig, ApprovalNode, Json, JsonObject } from '../types.ts';
import { checkDuration, checkDurations, isTemplate, type Place } from './literals.ts';

/** Outcomes of an approval that names none. */
export const DEFAULT_OUTCOMES: readonly string[] = ['approved', 'rejected'];

/** Checks the config of one approval; `keys` are its config's. */
export function checkApproval({ config }: ApprovalNode, place: Place): void {
  const { keys, issues } = place;
  checkDurations(config as JsonObject, ['dueIn', 'timeout'], place);
  checkOutcomeNames(config, place);
  for (const [index, reminder] of (config.reminders ?? []).entries()) {
    checkDuration(reminder, { keys: [...keys, 'reminders', index], issues });
  }
  for (const [index, { after }] of (config.escalate ?? []).entries()) {
    checkDuration(after, { keys: [...keys, 'escalate', index, 'after'], issues });
  }
  if (namesNobody(config)) {
    issues.add('definition.anyone_may_decide', keys, 'no "assignees" are given, so anyone may decide');
  } else checkQuorum(config, place);
}

function checkOutcomeNames(config: ApprovalConfig, { keys, issues }: Place): void {
  const seen = new Set<string>();
  for (const [index, outcome] of (config.outcomes ?? []).entries()) {
    const at = [...keys, 'outcomes', index];
    if (outcome === 'timeout') issues.add('definition.reserved_name', at, '"timeout" is the outcome of the deadline');
    if (seen.has(outcome)) issues.add('definition.invalid_value', at, `the outcome "${outcome}" is given twice`);
    seen.add(outcome);
  }
}

function checkQuorum(config: ApprovalConfig, { keys, issues }: Place): void {
  const people = countPeople(config);
  if (people === null) return;
  for (const field of ['quorum', 'rejectAt'] as const) {
    const wanted = config[field] ?? 1;
    if (wanted <= people) continue;
    const at = config[field] === undefined ? [...keys, 'assignees'] : [...keys, field];
    issues.add('definition.quorum_impossible', at, `"${field}" is ${wanted}, but only ${people} people can decide`);
    return;
  }
}

function namesNobody({ assignees = {} }: ApprovalConfig): boolean {
  return [assignees.users, assignees.roles, assignees.queues].every(isNone);
}

/** How many people can decide, where that is literal; otherwise `null`. */
function countPeople({ assignees = {}, exclude }: ApprovalConfig): number | null {
  if (!isNone(assignees.roles) || !isNone(assignees.queues)) return null;
  const people = new Set(oneOrMany(assignees.users));
  if ([...people].some((person) => typeof person !== 'string' || isTemplate(person))) return null;
  for (const person of oneOrMany(exclude)) people.delete(person);
  return people.size;
}

function isNone(value: Json | undefined): boolean {
  return value === undefined || value === null || (isList(value) && value.length === 0);
}

/** A template may give one person without a list. */
function oneOrMany(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}
