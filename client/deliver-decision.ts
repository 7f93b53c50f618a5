/**
 * Delivering decisions from the outbox to their runs, until each run has answered.
 *
 * Invariants:
 * 1. The id of a decision is the id of the Temporal update, so delivering twice counts once. Where a run has gone on in a
 *    fresh history, which knows no update ids of the one before, its audit tells that the decision had counted.
 * 2. The first answer is written and stands. A run that Temporal does not know, or that has ended, is an answer: refused.
 * 3. No answer is no refusal: the decision stays in the outbox and comes again.
 */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { isFermataError } from '../definitions/fermata-error.ts';
import type { Json } from '../definitions/types.ts';
import type { Decision } from '../definitions/records.ts';
import { DECIDE, type DoorDelivery } from '../definitions/wire.ts';
import type { SubmittedDecision } from '../store/index.ts';
import type { DecisionAnswer } from '../workflows/decisions.ts';
import type { Refusal } from '../workflows/read-decision.ts';
import type { ClientParts } from './client-parts.ts';

/** Delivered at once by one call of {@link deliverDecisions}; with the time for each well within their lease. */
const AT_ONCE = 20;
const DELIVERY_TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** Delivers what is unanswered, of all tenants. Gives how many were answered. For the background of a worker. */
export async function deliverDecisions(parts: ClientParts): Promise<number> {
  const decisions = await parts.store.claimDecisions({ limit: AT_ONCE });
  const delivered = await Promise.all(
    decisions.map((decision) => deliverDecision(parts, decision, DELIVERY_TIMEOUT_MS)),
  );
  return delivered.filter(({ answer }) => answer !== null).length;
}

/** `null`: it did not come in time, for this reason; the decision comes again. */
export type Delivered =
  | { readonly answer: DecisionAnswer }
  | { readonly answer: null /** What Temporal's client threw. */; readonly error: unknown };

/** Asks the run, and gives its answer. */
export async function deliverDecision(
  parts: ClientParts,
  submitted: SubmittedDecision,
  timeoutMs: number,
): Promise<Delivered> {
  const { decisions } = parts.store.forTenant(submitted.tenant);
  let answer: DecisionAnswer;
  try {
    answer = await askRun(parts, submitted, timeoutMs);
  } catch (error) {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, submitted.deliveries));
    await decisions.postpone(submitted.id, error instanceof Error ? error.message : String(error), pauseMs);
    return { answer: null, error };
  }
  if (!answer.counted) answer = (await countedBefore(parts, submitted)) ?? answer;
  const isFirst = await decisions.answer(submitted.id, answer as unknown as Json);
  if (isFirst) return { answer };
  return { answer: ((await decisions.get(submitted.id))?.answer as DecisionAnswer | undefined) ?? answer };
}

async function askRun(
  { temporal }: ClientParts,
  { id, runId, decision, door }: SubmittedDecision,
  timeoutMs: number,
): Promise<DecisionAnswer> {
  const handle = temporal.workflow.getHandle(runId);
  const args: [Decision, DoorDelivery] = [decision, { door }];
  try {
    return await temporal.withDeadline(Date.now() + timeoutMs, () =>
      handle.executeUpdate<DecisionAnswer, typeof args>(DECIDE, { updateId: id, args }),
    );
  } catch (error) {
    return { counted: false, refusal: refusalBy(error, runId) };
  }
}

/** Why a run refused an update, its end included. @throws `error`, where it tells of no refusal */
export function refusalBy(error: unknown, runId: string): Refusal {
  if (error instanceof WorkflowUpdateFailedError) return refusalOf(error);
  if (!(error instanceof WorkflowNotFoundError)) throw error;
  return { code: 'too_late', message: `the run "${runId}" has ended, or Temporal does not know it` };
}

function refusalOf({ cause, message }: WorkflowUpdateFailedError): Refusal {
  if (!(cause instanceof ApplicationFailure)) return { code: 'too_late', message: cause?.message ?? message };
  const [details] = (cause.details ?? []) as [Pick<Refusal, 'mismatches'>?];
  const { mismatches } = details ?? {};
  const refusal = { code: (cause.type ?? 'malformed') as Refusal['code'], message: cause.message };
  return mismatches ? { ...refusal, mismatches } : refusal;
}

/** The answer of a decision that the run's audit has as counted, and whose answer was lost on the way; else `null`. */
async function countedBefore(
  { store }: ClientParts,
  { tenant, taskId, decision }: SubmittedDecision,
): Promise<DecisionAnswer | null> {
  try {
    const { decisions, outcome } = await store.forTenant(tenant).approvals.get(taskId);
    const mine = decisions.some(
      ({ refusal, by, outcome: voted, at }) =>
        refusal === null && by.id === decision.by.id && voted === decision.outcome && at === decision.at,
    );
    return mine ? { counted: true, taskId, settled: outcome } : null;
  } catch (error) {
    if (isFermataError(error) && error.code === 'approval.not_found') return null;
    throw error;
  }
}
