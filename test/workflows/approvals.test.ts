import { expect, test } from 'vitest';
import type { Decision } from '../../definitions/records.ts';
import type { JsonSchema } from '../../definitions/types.ts';
import * as rules from '../../workflows/approvals.ts';
import type { ApprovalState } from '../../workflows/approval-state.ts';
import { isRefusal, readDecision } from '../../workflows/read-decision.ts';

const { approvalOutput, settledOutcome, toVote } = rules;

const AT = '2027-01-01T00:00:00.000Z';

function task(over: Partial<ApprovalState> = {}): ApprovalState {
  return {
    kind: 'approval',
    taskId: 'run/ok/1',
    title: 'Pay?',
    description: '',
    assignees: { users: [], roles: [], queues: [] },
    exclude: [],
    outcomes: ['approved', 'rejected'],
    quorum: 1,
    rejectAt: 1,
    priority: null,
    dueAt: null,
    timeoutAt: null,
    votes: [],
    ...over,
  };
}
const decision = (id: string, outcome = 'approved', roles?: string[]): Decision => ({
  nodeId: 'ok',
  outcome,
  by: { id, ...(roles ? { roles } : {}) },
});
const refusal = (state: ApprovalState, one: Decision, form?: JsonSchema) => rules.refusal(state, one, { form, now: 0 });
function vote(state: ApprovalState, ...decisions: Decision[]): ApprovalState {
  for (const one of decisions) state.votes.push(toVote(one, AT));
  return state;
}

test('a task settles when the first outcome has its quorum, or another one has rejectAt votes', () => {
  const two = task({ quorum: 2, rejectAt: 2 });
  expect(settledOutcome(vote(two, decision('a')))).toBeNull();
  expect(settledOutcome(vote(two, decision('b', 'rejected')))).toBeNull();
  expect(settledOutcome(vote(two, decision('c')))).toBe('approved');
  expect(settledOutcome(vote(task({ quorum: 3 }), decision('a'), decision('b', 'rejected')))).toBe('rejected');
});

test('one person counts once, and the first vote stands', () => {
  const state = vote(task({ quorum: 2 }), decision('a'));
  expect(refusal(state, decision('a', 'rejected'))?.code).toBe('already_voted');
  expect(refusal(state, decision('b'))).toBeNull();
});

test('only assignees may decide: by name, role or queue; nobody named means anybody', () => {
  const state = task({ assignees: { users: ['ann'], roles: ['finance'], queues: ['q1'] } });
  expect(refusal(state, decision('bob'))?.code).toBe('not_assignee');
  expect(refusal(state, decision('ann'))).toBeNull();
  expect(refusal(state, decision('bob', 'approved', ['finance']))).toBeNull();
  expect(refusal(state, decision('bob', 'approved', ['q1']))).toBeNull();
  expect(refusal(task(), decision('anyone'))).toBeNull();
});

test('an excluded person, an unknown outcome and a settled task are refused, each by its code', () => {
  expect(refusal(task({ exclude: ['me'] }), decision('me'))?.code).toBe('excluded');
  expect(refusal(task(), decision('a', 'dance'))?.code).toBe('unknown_outcome');
  expect(refusal(vote(task(), decision('a')), decision('b'))?.code).toBe('too_late');
});

test('the output names the outcome, every vote, and the data of the deciding one', () => {
  const state = vote(
    task({ quorum: 2 }),
    { ...decision('a'), data: { limit: 5 } },
    { ...decision('b'), data: { limit: 7 } },
  );
  expect(approvalOutput(state, 'approved')).toEqual({
    outcome: 'approved',
    data: { limit: 7 },
    decisions: [
      { by: { id: 'a' }, outcome: 'approved', data: { limit: 5 }, comment: null, at: AT },
      { by: { id: 'b' }, outcome: 'approved', data: { limit: 7 }, comment: null, at: AT },
    ],
  });
});

test.each([
  [null],
  ['approved'],
  [[]],
  [{}],
  [{ nodeId: 'ok', outcome: 'approved' }],
  [{ nodeId: 'ok', by: { id: 'a' } }],
  [{ nodeId: 'ok', outcome: 'approved', by: { id: '' } }],
  [{ nodeId: 'ok', outcome: 'approved', by: { id: 'a', roles: 'x' } }],
  [{ nodeId: 'ok', outcome: 'approved', by: { id: 'a' }, visit: 0 }],
  [{ nodeId: 'ok', outcome: 'approved', by: { id: 'a' }, at: 5 }],
  [{ nodeId: 'ok', outcome: 'approved', by: { id: 'a' }, admin: true }],
  [{ nodeId: 'n'.repeat(256), outcome: 'approved', by: { id: 'a' } }],
  [{ nodeId: 'ok', outcome: 'o'.repeat(256), by: { id: 'a' } }],
  [{ nodeId: 'ok', outcome: 'approved', by: { id: 'é'.repeat(128) } }],
])('what is no decision is refused as malformed: %j', (value) => {
  const read = readDecision(value);
  expect(isRefusal(read) && read.code).toBe('malformed');
});

test.each([
  ['a number that was rounded', { n: 2 ** 60 }, '/data/n'],
  ['half of a surrogate pair', { text: '\ud800' }, '/data/text'],
  ['the character U+0000', ['a\0b'], '/data/0'],
  ['3,000 brackets', JSON.parse('['.repeat(3000) + ']'.repeat(3000)), '/data/0'],
])('an answer that no door takes is refused in the run too, with its place: %s', (_, data, place) => {
  const read = readDecision({ nodeId: 'ok', outcome: 'approved', by: { id: 'a' }, data });
  expect(isRefusal(read) && read).toMatchObject({ code: 'malformed', message: expect.stringContaining(place) });
});

test('a decision larger than an input may be is refused before any of it is kept', () => {
  const read = readDecision({ nodeId: 'ok', outcome: 'approved', by: { id: 'a' }, comment: 'x'.repeat(300_000) });
  expect(isRefusal(read) && read.code).toBe('too_large');
});
