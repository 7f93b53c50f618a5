/**
 * The rules of an approval: which decision counts, and when the task is settled.
 *
 * What it is: pure rules over the plain state of one open approval, the same at every door.
 * What it is not: waiting, routing or storing.
 *
 * Invariants:
 * 1. One person counts once; the first vote of a person stands.
 * 2. A decision that is refused changes nothing.
 * 3. Roles in `by` are vouched for by the door.
 */
import { excerpt } from '../definitions/excerpt.ts';
import { isFermataError } from '../definitions/fermata-error.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Decision, Person, Vote } from '../definitions/records.ts';
import { jsonBytes, utf8Length } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { ApprovalState } from './checkpoint.ts';
import { growingBytes } from './known-bytes.ts';
import { Undecodable } from './undecodable.ts';

export type RefusalCode =
  | 'malformed'
  | 'not_open'
  | 'too_late'
  | 'wrong_visit'
  | 'unknown_outcome'
  | 'not_assignee'
  | 'excluded'
  | 'already_voted'
  | 'too_large';

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

/** The outcome that the votes have settled, or `null` while the task is open. */
export function settledOutcome({ outcomes, quorum, rejectAt, votes }: ApprovalState): string | null {
  const good = outcomes[0];
  return (
    outcomes.find(
      (outcome) => votes.filter((vote) => vote.outcome === outcome).length >= (outcome === good ? quorum : rejectAt),
    ) ?? null
  );
}

/** Why a decision does not count, or `null` where it does. */
export function refusal(state: ApprovalState, decision: Decision): Refusal | null {
  const { by, outcome } = decision;
  if (settledOutcome(state) !== null) return { code: 'too_late', message: 'The approval has been decided' };
  if (!state.outcomes.includes(outcome)) {
    return { code: 'unknown_outcome', message: `The outcome "${outcome}" is none of ${state.outcomes.join(', ')}` };
  }
  if (state.exclude.includes(by.id)) return { code: 'excluded', message: `${by.id} may not decide this approval` };
  if (!isAssignee(state, by))
    return { code: 'not_assignee', message: `${by.id} is not among those who may decide this approval` };
  if (state.votes.some((vote) => vote.by.id === by.id)) {
    return { code: 'already_voted', message: `${by.id} has decided already; the first decision stands` };
  }
  return sizeRefusal(state, decision);
}

/** The votes of a task become its output, so they must fit there, with all that they carry. */
function sizeRefusal({ votes }: ApprovalState, decision: Decision): Refusal | null {
  const bytes = growingBytes(votes) + jsonBytes(decision as unknown as Json);
  if (bytes <= LIMITS.decisionBytes) return null;
  return {
    code: 'too_large',
    message: `What was said to this approval would have ${bytes} bytes; the limit is ${LIMITS.decisionBytes}`,
  };
}

/** A decision as a vote. `handledAt`: ISO 8601, used where the door told no time. */
export function toVote(decision: Decision, handledAt: string): Vote {
  return {
    by: decision.by,
    outcome: decision.outcome,
    data: decision.data ?? null,
    comment: decision.comment ?? null,
    at: decision.at ?? handledAt,
  };
}

/** The output of the node: the outcome, all votes, and the data of the vote that settled it. */
export function approvalOutput(state: ApprovalState, outcome: string): Json {
  const decisions = state.votes.map(({ by, outcome: voted, data, comment, at }) => ({
    by: { id: by.id, ...(by.roles ? { roles: by.roles } : {}) },
    outcome: voted,
    data,
    comment,
    at,
  }));
  const deciding = state.votes.findLast((vote) => vote.outcome === outcome);
  return { outcome, decisions, data: deciding?.data ?? null };
}

/** Nobody named means anybody. */
function isAssignee({ assignees }: ApprovalState, by: Person): boolean {
  const { users, roles, queues } = assignees;
  if (users.length + roles.length + queues.length === 0) return true;
  return users.includes(by.id) || (by.roles ?? []).some((role) => roles.includes(role) || queues.includes(role));
}

/**
 * Reads what came through a door that anybody may write to. Gives the decision, or what is wrong with it. What is refused
 * here is kept nowhere, so a huge or bottomless value costs neither the run nor its records anything.
 */
export function readDecision(value: unknown): Decision | Refusal {
  if (value instanceof Undecodable) return malformed(`The decision cannot be decoded: ${value.reason}`);
  const unfit = jsonRefusal(value);
  if (unfit) return unfit;
  if (!isObject(value)) return malformed('A decision is an object { nodeId, outcome, by: { id } }');
  const { nodeId, visit, outcome, by, data, comment, subject, at } = value;
  if (typeof nodeId !== 'string') return malformed('nodeId must be the id of an approval node');
  if (typeof outcome !== 'string') return malformed('outcome must be text such as "approved"');
  if (!isObject(by) || typeof by['id'] !== 'string' || by['id'] === '') return malformed('by.id must name who decides');
  const roles = by['roles'];
  if (roles !== undefined && !isTexts(roles)) return malformed('by.roles must be a list of texts');
  if (visit !== undefined && !(Number.isInteger(visit) && (visit as number) > 0))
    return malformed('visit must be a whole number from 1');
  for (const [name, text] of Object.entries({ comment, subject, at })) {
    if (text !== undefined && typeof text !== 'string') return malformed(`${name} must be text`);
  }
  for (const [name, id] of Object.entries({ nodeId, outcome, 'by.id': by['id'] })) {
    if (utf8Length(id) > LIMITS.idBytes) return malformed(`${name} has more than ${LIMITS.idBytes} bytes`);
  }
  const unknown = Object.keys(value).find((key) => !DECISION_FIELDS.has(key));
  if (unknown !== undefined) return malformed(`The field ${excerpt(unknown, 80)} is unknown`);
  return {
    nodeId,
    outcome,
    by: { id: by['id'], ...(roles ? { roles } : {}) },
    ...(visit === undefined ? {} : { visit: visit as number }),
    ...(data === undefined ? {} : { data: data as Json }),
    ...(comment === undefined ? {} : { comment: comment as string }),
    ...(subject === undefined ? {} : { subject: subject as string }),
    ...(at === undefined ? {} : { at: at as string }),
  };
}

/** Why `value` is no JSON that is taken from outside, or `null`. */
function jsonRefusal(value: unknown): Refusal | null {
  try {
    const bytes = jsonBytes(toJson(value));
    if (bytes <= LIMITS.inputBytes) return null;
    return { code: 'too_large', message: `The decision has ${bytes} bytes; the limit is ${LIMITS.inputBytes}` };
  } catch (error) {
    if (!isFermataError(error)) throw error;
    return malformed(`The decision is no JSON that is taken: ${error.message}`);
  }
}

/** Whether `readDecision` gave a refusal. */
export function isRefusal(value: Decision | Refusal): value is Refusal {
  return 'code' in value;
}

const DECISION_FIELDS = new Set(['nodeId', 'visit', 'outcome', 'by', 'data', 'comment', 'subject', 'at']);

function malformed(message: string): Refusal {
  return { code: 'malformed', message };
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
