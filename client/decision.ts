/**
 * A decision at the client's door: its form, and what the person is told.
 */
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Decision, Person, TaskAddress } from '../definitions/records.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { SubmittedDecision } from '../store/index.ts';
import type { DecisionAnswer } from '../workflows/decisions.ts';
import type { TaskPlace } from './run-id.ts';

export interface NewDecision {
  readonly outcome: string;
  /** Who decides; the caller vouches for the roles. */
  readonly by: string | Person;
  readonly data?: Json;
  readonly comment?: string;
  /** Hash of what is approved, where the approval has a subject. */
  readonly subject?: string;
}

export type DecisionResult =
  | {
      readonly status: 'counted';
      readonly decisionId: string;
      readonly taskId: string;
      /** The outcome that the approval now has; `null`: more decisions are needed. */
      readonly settled: string | null;
      /** While it is not settled: votes for this outcome with this one, and how many it needs where that is known. */
      readonly votes?: { readonly given: number; readonly needed: number | null };
    }
  | {
      /** The run has not answered: no worker is up, it is busy, or Temporal cannot be reached. The decision is stored and will be delivered. */
      readonly status: 'stored';
      readonly decisionId: string;
      readonly taskId: string;
      readonly message: string;
    };

const FIELDS = new Set(['outcome', 'by', 'data', 'comment', 'subject']);

/** @throws FermataError `approval.invalid`, `input.too_large` */
export function readNewDecision(
  given: NewDecision,
  task: Omit<TaskPlace, 'runId'> & { readonly atIso: string },
): Decision {
  const fields = toFields(given);
  const unknown = Object.keys(fields).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) throw invalid(`the field ${JSON.stringify(unknown.slice(0, 80))} is unknown`);
  const { outcome, data } = fields;
  if (typeof outcome !== 'string' || outcome === '') throw invalid('outcome must be a text such as "approved"');
  const comment = optionalText(fields, 'comment');
  const subject = optionalText(fields, 'subject');
  const decision: Decision = {
    ...addressOf(task),
    outcome,
    by: readPerson(fields['by']),
    ...(data === undefined ? {} : { data }),
    ...(comment === undefined ? {} : { comment }),
    ...(subject === undefined ? {} : { subject }),
    at: task.atIso,
  };
  const bytes = jsonBytes(decision as unknown as Json);
  if (bytes <= LIMITS.inputBytes) return decision;
  const message = `the decision has ${bytes} bytes; the limit is ${LIMITS.inputBytes}`;
  throw new FermataError('input.too_large', message, { bytes, limit: LIMITS.inputBytes });
}

/** What the run's answer means to the person. @throws FermataError `approval.refused` */
export function toResult({ id, taskId }: SubmittedDecision, answer: DecisionAnswer): DecisionResult {
  if (answer.counted) return { status: 'counted', decisionId: id, taskId, settled: answer.settled };
  const { code, message, mismatches } = answer.refusal;
  const details = {
    taskId,
    decisionId: id,
    reason: code,
    message,
    ...(mismatches ? { mismatches: toJson(mismatches) } : {}),
  };
  throw new FermataError(
    'approval.refused',
    `the decision on "${taskId}" does not count (${code}): ${message}`,
    details,
  );
}

/** How a run is told which of its tasks is meant. A path at the top goes without saying, also to older workers. */
export function addressOf({ nodeId, visit, path }: Omit<TaskPlace, 'runId'>): TaskAddress {
  return { nodeId, visit, ...(path === '' ? {} : { path }) };
}

function toFields(given: unknown): { readonly [field: string]: Json } {
  try {
    const json = toJson(given);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as { [field: string]: Json };
  } catch (error) {
    if (!isFermataError(error)) throw error;
    throw new FermataError(
      'approval.invalid',
      `the decision is no JSON that is taken: ${error.message}`,
      error.details,
    );
  }
  throw invalid('a decision is an object { outcome, by }');
}

/** @throws FermataError `approval.invalid` */
export function readPerson(by: unknown): Person {
  if (typeof by === 'string' && by !== '') return { id: by };
  if (typeof by === 'object' && by !== null && !Array.isArray(by)) {
    const { id, roles, ...rest } = by as { readonly [field: string]: unknown };
    const rolesFit = roles === undefined || isTexts(roles);
    if (typeof id === 'string' && id !== '' && rolesFit && Object.keys(rest).length === 0) {
      return { id, ...(roles === undefined ? {} : { roles: roles as readonly string[] }) };
    }
  }
  throw invalid('by must be the id of a person, or { id, roles }');
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function optionalText(fields: { readonly [field: string]: Json }, field: string): string | undefined {
  const value = fields[field];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(`${field} must be a text`);
}

export function invalid(message: string): FermataError {
  return new FermataError('approval.invalid', message);
}
