/**
 * The rules of an approval: which decision counts, and when the task is settled.
 *
 * What it is: pure rules over the plain state of one open approval, the same at every door.
 * What it is not: waiting, routing or storing; nor who may decide, which is `people.ts`.
 *
 * Invariants:
 * 1. One person counts once; the first vote of a person stands.
 * 2. A decision that is refused changes nothing.
 * 3. A vote on a task with a subject is a vote on what the task shows, whether or not the decision names its hash.
 */
import { type SchemaMismatch, validateJson } from '../definitions/json/json-schema.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Decision, Vote } from '../definitions/records.ts';
import type { Json, JsonSchema } from '../definitions/types.ts';
import type { ApprovalState } from './approval-state.ts';
import { growingBytes } from './known-bytes.ts';
import { noTurn } from './people.ts';
import type { Refusal } from './read-decision.ts';

/** What a decision is held against, beside the state of the task. */
export interface Rules {
  /** JSON Schema of the answer; absent: any. */
  readonly form: JsonSchema | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Mismatches that a message names; all of them travel beside it. */
const MOST_NAMED = 5;

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
export function refusal(state: ApprovalState, decision: Decision, { form, now }: Rules): Refusal | null {
  const { by, outcome } = decision;
  if (settledOutcome(state) !== null) return { code: 'too_late', message: 'The approval has been decided' };
  if (!state.outcomes.includes(outcome)) {
    return { code: 'unknown_outcome', message: `The outcome "${outcome}" is none of ${state.outcomes.join(', ')}` };
  }
  return (
    noTurn(state, by, now) ??
    subjectRefusal(state, decision) ??
    formRefusal(decision, form) ??
    sizeRefusal(state, decision)
  );
}

/** A decision that names no subject counts: naming one is how a person makes sure of what they have seen. */
function subjectRefusal({ subject }: ApprovalState, decision: Decision): Refusal | null {
  if (decision.subject === undefined || decision.subject === subject?.hash) return null;
  const message =
    subject === undefined
      ? 'The approval has no subject, but the decision names one'
      : `What is to be approved has the hash ${subject.hash}, which is not the one that the decision names`;
  return { code: 'subject_changed', message };
}

/** A decision without data answers the form with `null`, whatever its outcome. */
function formRefusal({ data = null }: Decision, form: JsonSchema | undefined): Refusal | null {
  const mismatches = form === undefined ? [] : validateJson(form, data);
  if (mismatches.length === 0) return null;
  return { code: 'invalid_form', message: `The data does not fit the form: ${inWords(mismatches)}`, mismatches };
}

function inWords(mismatches: readonly SchemaMismatch[]): string {
  const named = mismatches.slice(0, MOST_NAMED).map(({ path, message }) => `${path || 'data'}: ${message}`);
  const more = mismatches.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
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

/** Counts a vote. Who has voted holds the task no longer for others. */
export function addVote(state: ApprovalState, vote: Vote): void {
  state.votes.push(vote);
  if (state.claim?.by === vote.by.id) state.claim = null;
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
