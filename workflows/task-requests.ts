/**
 * Where requests about tasks come in: claim, release, delegate, comment; by update or by signal, under the same rules.
 *
 * Invariants:
 * 1. Synchronous, as decisions are.
 * 2. Every request that was done, or refused by signal, leaves a record; none is kept for later.
 * 3. A claim holds the task for one person where one decision settles it; beyond that it only tells who is at it.
 */
import type { TaskRequest } from '../definitions/records.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { ApprovalState, Hand } from './approval-state.ts';
import { settledOutcome } from './approvals.ts';
import { type OpenTask, record, type RunContext } from './context.ts';
import { claimantAt, noSay, noTurn } from './people.ts';
import { isRefusal, legible, readTaskRequest, type Refusal } from './read-decision.ts';
import { escalateInTime, tell } from './task-moments.ts';
import { findTask, lateFor, showTask } from './tasks.ts';

/** What the sender of an update is told. */
export type TaskAnswer =
  | { readonly done: true; readonly taskId: string }
  | { readonly done: false; readonly refusal: Refusal };

/** People between whom the say of one task may wander. */
const MOST_HANDS = 100;

/** Why a request would be refused now, or `null`: the validator of the update, which changes nothing. */
export function checkRequest(run: RunContext, value: unknown): Refusal | null {
  const request = readTaskRequest(value);
  if (isRefusal(request)) return request;
  const task = findTask(run, request);
  return isRefusal(task) ? task : requestRefusal(task.state, request, run.effects.now());
}

/** Does what is requested, or refuses it. */
export function handleRequest(run: RunContext, value: unknown, door: string): TaskAnswer {
  const request = readTaskRequest(value);
  if (isRefusal(request)) return refuseMalformed(run, value, { refusal: request, door });
  const task = findTask(run, request);
  if (isRefusal(task)) {
    const taskId = task.code === 'too_late' ? lateFor(run, request) : null;
    return answer(run, request, { taskId, door, refusal: task });
  }
  escalateInTime(run, task);
  const refusal = requestRefusal(task.state, request, run.effects.now());
  const said = answer(run, request, { taskId: task.state.taskId, door, refusal });
  if (refusal === null) apply(run, task, request);
  return said;
}

/** Why a request is refused, or `null`. `now`: milliseconds since 1970. */
export function requestRefusal(state: ApprovalState, request: TaskRequest, now: number): Refusal | null {
  const { action, by } = request;
  if (settledOutcome(state) !== null) return { code: 'too_late', message: 'The approval has been decided' };
  switch (action) {
    case 'claim':
      return noTurn(state, by, now) ?? claimRefusal(state, request, now);
    case 'release':
      if (claimantAt(state, now) === by.id) return null;
      return { code: 'not_claimed', message: `${by.id} has not claimed this approval` };
    case 'delegate':
      return noTurn(state, by, now) ?? handRefusal(state, request);
    case 'comment': {
      const refused = noSay(state, by, now);
      return refused?.code === 'not_assignee' ? refused : null;
    }
  }
}

/** Where several decide, a claim keeps nobody from deciding, but two people do not hold it at once. */
function claimRefusal(state: ApprovalState, { by }: TaskRequest, now: number): Refusal | null {
  const claimant = claimantAt(state, now);
  if (claimant === null || claimant === by.id) return null;
  return { code: 'claimed', message: `${claimant} has claimed this approval, and has not released it` };
}

function handRefusal({ exclude, votes, hands = [] }: ApprovalState, { by, to = '' }: TaskRequest): Refusal | null {
  if (to === by.id) return { code: 'malformed', message: `${to} cannot delegate to themselves` };
  if (exclude.includes(to)) return { code: 'excluded', message: `${to} may not decide this approval` };
  if (votes.some((vote) => vote.by.id === to)) {
    return { code: 'already_voted', message: `${to} has decided already; the first decision stands` };
  }
  if (hands.length < MOST_HANDS) return null;
  return {
    code: 'too_large',
    message: `The approval was handed on between ${hands.length} people; the limit is ${MOST_HANDS}`,
  };
}

function apply(run: RunContext, task: OpenTask, { action, by, to = '' }: TaskRequest): void {
  const { state } = task;
  const at = run.effects.now();
  switch (action) {
    case 'comment':
      return;
    case 'claim':
      state.claim = { by: by.id, at };
      break;
    case 'release':
      state.claim = null;
      break;
    case 'delegate': {
      state.hands = handedOn(state.hands, by.id, to);
      state.claim = { by: to, at };
      const nth = (state.delegations ?? 0) + 1;
      state.delegations = nth;
      tell(run, task, { kind: 'delegated', nth, to: { users: [to], roles: [], queues: [] } });
      break;
    }
  }
  showTask(run, task);
}

function handedOn(hands: readonly Hand[] = [], from: string, to: string): readonly Hand[] {
  const others = hands.filter(({ id }) => id !== from && id !== to);
  return [...others, { id: from, may: false }, { id: to, may: true }];
}

interface Outcome {
  readonly taskId: string | null;
  readonly door: string;
  readonly refusal: Refusal | null;
}

/** Puts a request into the audit, and gives what its sender is told. */
function answer(run: RunContext, request: TaskRequest, { taskId, door, refusal }: Outcome): TaskAnswer {
  const { nodeId, action, by, to, comment = null, at } = request;
  const handledAt = run.effects.now();
  record(run, {
    kind: 'task',
    taskId,
    nodeId,
    action,
    by,
    to: to === undefined ? [] : [to],
    comment,
    at: at ?? isoTime(handledAt),
    handledAt,
    door,
    refusal: refusal && { code: refusal.code, message: refusal.message },
  });
  return refusal ? { done: false, refusal } : { done: true, taskId: taskId ?? '' };
}

/** One whose action cannot be read was to say something. */
function refuseMalformed(run: RunContext, value: unknown, how: Omit<Outcome, 'taskId'>): TaskAnswer {
  const { nodeId, by } = legible(value);
  const task = findTask(run, { nodeId });
  return answer(run, { nodeId, by, action: 'comment' }, { taskId: isRefusal(task) ? null : task.state.taskId, ...how });
}
