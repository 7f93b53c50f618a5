/**
 * Where decisions come in: by update (answered) or by signal (kept when early), under the same rules.
 *
 * Invariants:
 * 1. Synchronous: a decision is counted or refused before the walk goes on.
 * 2. An early signal is kept for the next visit of its node; an early update is refused.
 * 3. Every decision that is counted or refused by signal leaves a record; an early one that gives way leaves none.
 */
import { LIMITS } from '../definitions/limits.ts';
import type { Decision } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { EarlyDecision } from './approval-state.ts';
import { addVote, refusal, settledOutcome, toVote } from './approvals.ts';
import { type OpenTask, record, type RunContext } from './context.ts';
import { knownBytes } from './known-bytes.ts';
import { isRefusal, legible, readDecision, type Refusal } from './read-decision.ts';
import { escalateInTime } from './task-moments.ts';
import { findTask, formOf, lateFor, showTask } from './tasks.ts';

/** What the sender of an update is told. */
export type DecisionAnswer =
  | { readonly counted: true; readonly taskId: string; readonly settled: string | null }
  | { readonly counted: false; readonly refusal: Refusal };

/** Early signals kept by one run; beyond it, and beyond their size, the oldest give way. */
const MAX_EARLY = 100;

/** Why a decision would be refused now, or `null`: the validator of the update, which changes nothing. */
export function checkDecision(run: RunContext, value: unknown): Refusal | null {
  const decision = readDecision(value);
  if (isRefusal(decision)) return decision;
  const task = findTask(run, decision);
  return isRefusal(task) ? task : refusalOf(run, task, decision);
}

/** Counts or refuses a decision. */
export function decide(run: RunContext, value: unknown, door: string): DecisionAnswer {
  const decision = readDecision(value);
  if (!isRefusal(decision)) return judge(run, decision, door);
  recordMalformed(run, value, { refused: decision, door });
  return { counted: false, refusal: decision };
}

/** Takes a decision that came by signal: nobody is answered, and an early one is kept. */
export function receiveDecision(run: RunContext, value: unknown, door: string): void {
  const decision = readDecision(value);
  if (isRefusal(decision)) recordMalformed(run, value, { refused: decision, door });
  else if (isEarly(run, decision)) keepEarly(run.checkpoint.early, { ...decision, door });
  else judge(run, decision, door);
}

function judge(run: RunContext, decision: Decision, door: string): DecisionAnswer {
  const task = findTask(run, decision);
  if (isRefusal(task)) {
    const taskId = task.code === 'too_late' ? lateFor(run, decision) : null;
    recordDecision(run, decision, { taskId, door, refused: task });
    return { counted: false, refusal: task };
  }
  escalateInTime(run, task);
  const { state } = task;
  const refused = refusalOf(run, task, decision);
  const subject = state.subject?.hash;
  const vote = recordDecision(run, decision, { taskId: state.taskId, door, refused, subject });
  if (refused) return { counted: false, refusal: refused };
  const wasClaimed = Boolean(state.claim);
  addVote(state, vote);
  if (wasClaimed && !state.claim) showTask(run, task);
  return { counted: true, taskId: state.taskId, settled: settledOutcome(state) };
}

function refusalOf(run: RunContext, task: OpenTask, decision: Decision): Refusal | null {
  return refusal(task.state, decision, { form: formOf(run, task), now: run.effects.now() });
}

interface Judgement {
  readonly taskId: string | null;
  readonly door: string;
  readonly refused: Refusal | null;
  readonly subject?: string | undefined;
}

function recordDecision(run: RunContext, decision: Decision, { taskId, door, refused, subject }: Judgement) {
  const handledAt = run.effects.now();
  const vote = toVote(decision, isoTime(handledAt));
  record(run, {
    kind: 'decision',
    taskId,
    nodeId: decision.nodeId,
    ...vote,
    handledAt,
    door,
    ...(subject === undefined ? {} : { subject }),
    refusal: refused && { code: refused.code, message: refused.message },
  });
  return vote;
}

function keepEarly(early: EarlyDecision[], decision: EarlyDecision): void {
  early.push(decision);
  let bytes = early.reduce((sum, kept) => sum + knownBytes(kept), 0);
  while (early.length > MAX_EARLY || bytes > LIMITS.decisionBytes) bytes -= knownBytes(early.shift() as EarlyDecision);
}

/** Hands the early decisions for a task to it, in order of arrival. */
export function takeEarlyDecisions(run: RunContext, { nodeId, path, visit }: OpenTask): void {
  const { early } = run.checkpoint;
  const isMine = (decision: Decision): boolean =>
    decision.nodeId === nodeId && (decision.path ?? path) === path && (decision.visit ?? visit) <= visit;
  const mine = early.filter(isMine);
  if (mine.length === 0) return;
  early.splice(0, early.length, ...early.filter((decision) => !isMine(decision)));
  for (const { door = 'signal', ...decision } of mine) judge(run, decision, door);
}

/** Tells what can be read of a malformed decision, in the audit of the open task that it names. */
function recordMalformed(
  run: RunContext,
  value: unknown,
  how: { readonly refused: Refusal; readonly door: string },
): void {
  const decision = legible(value);
  const task = findTask(run, decision);
  recordDecision(run, decision, { taskId: isRefusal(task) ? null : task.state.taskId, ...how });
}

/** Whether a decision is for a visit that has not begun. Without a visit number: for a node that was never open. */
function isEarly(run: RunContext, decision: Decision): boolean {
  if (run.compiled.nodes.get(decision.nodeId)?.node.type !== 'approval') return false;
  const task = findTask(run, decision);
  return isRefusal(task) && (task.code === 'not_open' || task.code === 'wrong_visit');
}
