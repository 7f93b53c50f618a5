/**
 * Who may do what with an open approval: assignees, those that escalations add, delegations, a claim.
 *
 * What it is: pure rules over the task's plain state and the run's clock. What it is not: counting; see `approvals.ts`.
 *
 * Invariants:
 * 1. Roles in `by` are vouched for by the door.
 * 2. An escalation adds its people at its moment, whether or not the run has woken for it, and ends a claim.
 * 3. A delegation hands one say on: who gave it away has none, so no say counts twice.
 */
import type { Person } from '../definitions/records.ts';
import type { ApprovalState, Assignees } from './approval-state.ts';
import type { Refusal } from './read-decision.ts';

/** Whom the task is for now. All empty: anybody. */
export function assigneesAt({ assignees, moments = [], hands = [] }: ApprovalState, nowMs: number): Assignees {
  if (isEmpty(assignees)) return assignees;
  const added = moments.flatMap((moment) =>
    moment.kind === 'escalate' && moment.at <= nowMs ? [moment.assignees] : [],
  );
  const all = [assignees, ...added];
  const got = hands.filter(({ may }) => may).map(({ id }) => id);
  const users = new Set([...all.flatMap((one) => one.users), ...got]);
  for (const { id, may } of hands) if (!may) users.delete(id);
  return {
    users: [...users],
    roles: [...new Set(all.flatMap((one) => one.roles))],
    queues: [...new Set(all.flatMap((one) => one.queues))],
  };
}

/** Who has taken the task on; `null`: nobody. */
export function claimantAt({ claim, moments = [] }: ApprovalState, nowMs: number): string | null {
  if (!claim) return null;
  const ended = moments.some(({ kind, at }) => kind === 'escalate' && at > claim.at && at <= nowMs);
  return ended ? null : claim.by;
}

/** Why somebody has no say in the task, or `null`. */
export function noSay(state: ApprovalState, by: Person, nowMs: number): Refusal | null {
  if (state.exclude.includes(by.id)) return { code: 'excluded', message: `${by.id} may not decide this approval` };
  const hand = state.hands?.find(({ id }) => id === by.id);
  if (hand?.may === false) return { code: 'delegated', message: `${by.id} has handed this approval on` };
  if (hand?.may || isNamed(assigneesAt(state, nowMs), by)) return null;
  return { code: 'not_assignee', message: `${by.id} is not among those who may decide this approval` };
}

/** Why somebody has no say in the task any more, or not now; `null`: they have. */
export function noTurn(state: ApprovalState, by: Person, nowMs: number): Refusal | null {
  const refused = noSay(state, by, nowMs);
  if (refused) return refused;
  if (state.votes.some((vote) => vote.by.id === by.id)) {
    return { code: 'already_voted', message: `${by.id} has decided already; the first decision stands` };
  }
  const claimant = state.quorum === 1 ? claimantAt(state, nowMs) : null;
  if (claimant === null || claimant === by.id) return null;
  return { code: 'claimed', message: `${claimant} has claimed this approval, and has not released it` };
}

/** Everybody, in words. */
export function namesOf({ users, roles, queues }: Assignees): string[] {
  return [...users, ...roles, ...queues];
}

/** Nobody named means anybody. */
function isNamed(assignees: Assignees, by: Person): boolean {
  const { users, roles, queues } = assignees;
  if (isEmpty(assignees)) return true;
  return users.includes(by.id) || (by.roles ?? []).some((role) => roles.includes(role) || queues.includes(role));
}

function isEmpty(assignees: Assignees): boolean {
  return namesOf(assignees).length === 0;
}
