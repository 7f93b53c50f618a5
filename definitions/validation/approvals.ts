/**
 * Rule about approvals: who may decide, how many, and with which outcome.
 */
import { DEFAULT_OUTCOMES } from '../approval-outcomes.ts';
import { isList } from '../json/json-kinds.ts';
import type { ApprovalConfig, Json } from '../types.ts';
import type { Rule } from './context.ts';
import { isTemplate, type Place } from './literals.ts';

export const checkApprovals: Rule = ({ outline, issues }) => {
  for (const { node, keys } of outline.nodes) {
    if (node?.type !== 'approval') continue;
    const place = { keys: [...keys, 'config'], issues };
    checkOutcomeNames(node.config, place);
    if (namesNobody(node.config)) {
      issues.add('definition.anyone_may_decide', place.keys, 'no "assignees" are given, so anyone may decide');
    } else checkQuorum(node.config, place);
  }
};

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
  const hasOthers = (config.outcomes ?? DEFAULT_OUTCOMES).length > 1;
  for (const field of hasOthers ? (['quorum', 'rejectAt'] as const) : (['quorum'] as const)) {
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

/** How many people can decide, those of escalations included, where that is literal; otherwise `null`. */
function countPeople({ assignees = {}, escalate = [], exclude }: ApprovalConfig): number | null {
  const rounds = [assignees, ...escalate.map((step) => step.assignees ?? {})];
  if (rounds.some(({ roles, queues }) => !isNone(roles) || !isNone(queues))) return null;
  const people = new Set(rounds.flatMap(({ users }) => oneOrMany(users)));
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
