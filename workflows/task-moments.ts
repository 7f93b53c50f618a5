/**
 * What an approval does by itself while it waits: it is assigned, reminds, escalates. And how people are told.
 *
 * Invariants:
 * 1. Each moment is seen to once, in order, however many histories the run goes through; one that was due while no
 *    worker was up is seen to late.
 * 2. Telling people holds up neither the task nor the walk: it goes on beside them, and only the end of the run, or of
 *    this history, waits for it.
 * 3. Only a definition with `reminders` or `escalate` has people told; others pay no event for it.
 */
import { parseDuration } from '../definitions/duration.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { ApprovalConfig } from '../definitions/types.ts';
import type { ApprovalState, Assignees, Moment } from './approval-state.ts';
import { settledOutcome } from './approvals.ts';
import type { OpenTask, RunContext } from './context.ts';
import type { Notice } from './orders.ts';
import { assigneesAt, namesOf } from './people.ts';
import { approvalTask, recordMoment, showTask } from './tasks.ts';

/** What a definition asks for, in milliseconds after the visit began. */
export interface Schedule {
  readonly reminders: readonly number[];
  readonly escalations: readonly number[];
}

export function compileSchedule({ reminders = [], escalate = [] }: ApprovalConfig): Schedule {
  return { reminders: reminders.map(parseDuration), escalations: escalate.map(({ after }) => parseDuration(after)) };
}

/** The moments of a visit, in order; at the same moment a reminder comes before an escalation. */
export function momentsFrom(
  startedAt: number,
  { reminders, escalations }: Schedule,
  step: (index: number) => Pick<Extract<Moment, { kind: 'escalate' }>, 'assignees' | 'notify'>,
): readonly Moment[] {
  const moments: Moment[] = [
    ...reminders.map((after): Moment => ({ kind: 'remind', at: startedAt + after })),
    ...escalations.map((after, index): Moment => ({ kind: 'escalate', at: startedAt + after, ...step(index) })),
  ];
  if (moments.length === 0) return [];
  return [{ kind: 'assign', at: startedAt }, ...moments.sort((one, other) => one.at - other.at)];
}

/** When the task wants to be looked at next, by itself; `null`: never. */
export function nextMoment({ moments = [], done = 0, timeoutAt }: ApprovalState): number | null {
  const next = moments[done]?.at ?? null;
  if (next === null || timeoutAt === null) return next ?? timeoutAt;
  return Math.min(next, timeoutAt);
}

/** Sees to what is due if an escalation is among it, so that who decides by its grace is seen to have been asked. */
export function escalateInTime(run: RunContext, task: OpenTask): void {
  const { moments = [], done = 0 } = task.state;
  const now = run.effects.now();
  const isDue = moments.slice(done).some(({ kind, at }) => kind === 'escalate' && at <= now);
  if (isDue && settledOutcome(task.state) === null) catchUp(run, task);
}

/** Sees to all that is due. */
export function catchUp(run: RunContext, task: OpenTask): void {
  const { state } = task;
  const { moments = [] } = state;
  for (let done = state.done ?? 0; done < moments.length; done++) {
    const moment = moments[done] as Moment;
    if (moment.at > run.effects.now()) return;
    state.done = done + 1;
    const nth = moments.slice(0, done + 1).filter(({ kind }) => kind === moment.kind).length;
    seeTo(run, task, { moment, nth });
  }
}

function seeTo(
  run: RunContext,
  task: OpenTask,
  { moment, nth }: { readonly moment: Moment; readonly nth: number },
): void {
  const to = assigneesAt(task.state, run.effects.now());
  if (moment.kind !== 'escalate') {
    recordMoment(run, task, { action: moment.kind, to: namesOf(to) });
    return tell(run, task, moment.kind === 'assign' ? { kind: 'assigned', to } : { kind: 'reminder', nth, to });
  }
  const added = moment.assignees;
  recordMoment(run, task, { action: 'escalate', to: namesOf(added) });
  showTask(run, task);
  tell(run, task, { kind: 'escalated', nth, to: namesOf(added).length > 0 ? added : to, notify: moment.notify });
}

interface News extends Pick<Notice, 'kind'>, Partial<Pick<Notice, 'notify'>> {
  readonly to: Assignees;
  /** Of its kind, from 1, where there may be several. */
  readonly nth?: number;
}

const ACTIONS = {
  assigned: 'assign',
  reminder: 'remind',
  escalated: 'escalate',
  delegated: 'assign',
  withdrawn: 'withdraw',
} as const;

/** Tells people, where the definition asks for it. What the hook gives up is in the audit. */
export function tell(run: RunContext, task: OpenTask, { kind, to, nth, notify = null }: News): void {
  const { state, nodeId } = task;
  if (!state.moments?.length) return;
  const key = `${state.taskId}/${kind}${nth === undefined ? '' : `/${nth}`}`;
  const about = { runId: run.start.run.id, nodeId, task: approvalTask(run, task), at: isoTime(run.effects.now()) };
  run.slots.occupy();
  const telling = run.effects
    .notify({ key, kind, to, notify, ...about })
    .catch((rejection: unknown) => {
      const { message } = run.effects.describe(rejection);
      recordMoment(run, task, { action: ACTIONS[kind], to: namesOf(to), refusal: { code: 'not_told', message } });
    })
    .finally(() => {
      run.slots.free();
      run.notices.delete(telling);
    });
  run.notices.add(telling);
}

/** Waits until people have been told, or the hook has given up. */
export async function afterNotices({ notices }: RunContext): Promise<void> {
  while (notices.size > 0) await Promise.all(notices);
}
