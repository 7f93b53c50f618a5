/**
 * Where decisions come in: by update (answered) or by signal (kept when early), under the same rules.
 *
 * Invariants:
 * 1. Synchronous: a decision is counted or refused before the walk goes on.
 * 2. An early signal is kept for the next visit of its node; an early update is refused.
 * 3. Every decision that is counted or refused by signal leaves a record; an early one that gives way leaves none.
 */
import { excerpt } from '../definitions/excerpt.ts';
import { LIMITS } from '../definitions/limits.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { Decision } from '../definitions/records.ts';
import { isRefusal, type Refusal, readDecision, refusal, settledOutcome, toVote } from './approvals.ts';
import { type RunContext, record } from './context.ts';
import { visitsOf } from './frames.ts';
import { knownBytes } from './known-bytes.ts';

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
  return 'code' in task ? task : refusal(task.state, decision);
}

/** Counts or refuses a decision. */
export function decide(run: RunContext, value: unknown): DecisionAnswer {
  const decision = readDecision(value);
  if (!isRefusal(decision)) return judge(run, decision);
  recordMalformed(run, value, decision);
  return { counted: false, refusal: decision };
}

function judge(run: RunContext, decision: Decision): DecisionAnswer {
  const task = findTask(run, decision);
  const refused = 'code' in task ? task : refusal(task.state, decision);
  const handledAt = run.effects.now();
  const vote = toVote(decision, isoTime(handledAt));
  const taskId = 'code' in task ? lateFor(run, decision, task) : task.state.taskId;
  record(run, { kind: 'decision', taskId, nodeId: decision.nodeId, ...vote, handledAt, refusal: refused });
  if ('code' in task) return { counted: false, refusal: task };
  if (refused) return { counted: false, refusal: refused };
  task.state.votes.push(vote);
  return { counted: true, taskId: task.state.taskId, settled: settledOutcome(task.state) };
}

/** Takes a decision that came by signal: nobody is answered, and an early one is kept. */
export function receiveDecision(run: RunContext, value: unknown): void {
  const decision = readDecision(value);
  if (isRefusal(decision)) recordMalformed(run, value, decision);
  else if (isEarly(run, decision)) keepEarly(run.checkpoint.early, decision);
  else judge(run, decision);
}

function keepEarly(early: Decision[], decision: Decision): void {
  early.push(decision);
  let bytes = early.reduce((sum, kept) => sum + knownBytes(kept), 0);
  while (early.length > MAX_EARLY || bytes > LIMITS.decisionBytes) bytes -= knownBytes(early.shift() as Decision);
}

/** Hands the early decisions for a node to its visit, in order of arrival. */
export function takeEarlyDecisions(run: RunContext, { nodeId, visit }: { nodeId: string; visit: number }): void {
  const { early } = run.checkpoint;
  const isMine = (decision: Decision): boolean => decision.nodeId === nodeId && (decision.visit ?? visit) <= visit;
  const mine = early.filter(isMine);
  if (mine.length === 0) return;
  early.splice(0, early.length, ...early.filter((decision) => !isMine(decision)));
  for (const decision of mine) judge(run, decision);
}

/** Tells what can be read of a malformed decision, in the audit of the open task that it names. */
function recordMalformed(run: RunContext, value: unknown, refused: Refusal): void {
  const { nodeId, outcome, by } = Object(value) as { readonly [field: string]: unknown };
  const task = [...run.approvals.values()].find((open) => open.nodeId === nodeId);
  const handledAt = run.effects.now();
  record(run, {
    kind: 'decision',
    taskId: task?.state.taskId ?? null,
    nodeId: readable(nodeId),
    outcome: readable(outcome),
    by: { id: readable((Object(by) as { readonly id?: unknown }).id) },
    data: null,
    comment: null,
    at: isoTime(handledAt),
    handledAt,
    refusal: refused,
  });
}

function readable(value: unknown): string {
  return typeof value === 'string' ? excerpt(value, 80) : 'unreadable';
}

/** The closed task that a late decision was for, so that the task's own audit shows it. */
function lateFor(run: RunContext, { nodeId, visit }: Decision, { code }: Refusal): string | null {
  return code === 'too_late'
    ? `${run.start.run.id}/${nodeId}/${visit ?? visitsOf(run.checkpoint.frame, nodeId)}`
    : null;
}

type OpenTask = NonNullable<ReturnType<RunContext['approvals']['get']>>;

function findTask(run: RunContext, { nodeId, visit }: Decision): OpenTask | Refusal {
  const open = [...run.approvals.values()].find((task) => task.nodeId === nodeId);
  if (open && (visit === undefined || visit === open.visit)) return open;
  if (run.compiled.nodes.get(nodeId)?.node.type !== 'approval') {
    return { code: 'not_open', message: `There is no approval node ${nodeId} in this run` };
  }
  const past = visitsOf(run.checkpoint.frame, nodeId) - (open ? 1 : 0);
  if (visit !== undefined ? visit <= past : past > 0 && !open) {
    return {
      code: 'too_late',
      message: `The approval ${nodeId} is closed${visit === undefined ? '' : ` (visit ${visit})`}`,
    };
  }
  if (open) return { code: 'wrong_visit', message: `The approval ${nodeId} is at visit ${open.visit}, not ${visit}` };
  return { code: 'not_open', message: `The run has not come to the approval ${nodeId} yet` };
}

/** Whether a decision is for a visit that has not begun. Without a visit number: for a node that was never open. */
function isEarly(run: RunContext, decision: Decision): boolean {
  if (run.compiled.nodes.get(decision.nodeId)?.node.type !== 'approval') return false;
  const task = findTask(run, decision);
  return 'code' in task && (task.code === 'not_open' || task.code === 'wrong_visit');
}
