/**
 * Case H04 (v): one branch of a fork is a sub-workflow that is tried three times as a whole, and fails each time.
 *
 * The language has no retry on `workflow` nodes: a loop makes it, and its last attempt has no `catch`, so that the error
 * of that one leaves the branch.
 */
import type { Definition, Join, Node } from '../../definitions/types.ts';

/** Fails after a while. */
export const FAILING: Definition = {
  id: 'h04-failing',
  nodes: [
    { id: 'B', type: 'delay', config: { duration: '200ms' }, nextNodeId: 'E' },
    { id: 'E', type: 'action', config: { command: 'fatal' } },
  ],
};

const keep = (id: string, next?: string): Node => ({
  id,
  type: 'action',
  config: { command: 'keep', payload: id },
  ...(next === undefined ? {} : { nextNodeId: next }),
});
const slow = (id: string, next: string): Node => ({
  id,
  type: 'delay',
  config: { duration: '3s' },
  nextNodeId: next,
});

const attempt: Node = { id: 'attempt', type: 'workflow', config: { definitionId: FAILING.id } };
const tried: readonly Node[] = [
  { id: 'none_yet', type: 'assign', config: { vars: { failures: 0 } }, nextNodeId: 'may_fail' },
  {
    id: 'may_fail',
    type: 'condition',
    config: { expression: 'vars.failures < 2' },
    nextNodeId: 'attempt',
    fallbackNodeId: 'last_attempt',
  },
  { ...attempt, catch: [{ errors: ['CHILD_FAILED'], nextNodeId: 'count' }] },
  { id: 'count', type: 'assign', config: { vars: { failures: '${vars.failures + 1}' } }, nextNodeId: 'may_fail' },
  { ...attempt, id: 'last_attempt' },
];

/** The fork in one of the case's modes. */
export function fork(mode: string, join: Join, optional: boolean): Definition {
  return {
    id: `h04-${mode}`,
    nodes: [
      {
        id: 'fork',
        type: 'parallel',
        config: {
          join,
          branches: [
            { id: 'one', nodes: [keep('A', 'D'), slow('D', 'G'), keep('G')] },
            { id: 'two', nodes: tried, optional },
            { id: 'three', nodes: [keep('C', 'F'), slow('F', 'I'), keep('I')] },
          ],
        },
        nextNodeId: 'report',
      },
      { id: 'report', type: 'action', config: { command: 'keep', payload: '${nodes.fork}' } },
    ],
  };
}

/** What the last attempt of the run `order/7` leaves. */
export function lastFailure(runId: string) {
  const [, startId] = runId.split('/');
  const definitionId = runId.split('/')[0];
  return {
    type: 'CHILD_FAILED',
    nodeId: 'last_attempt',
    path: 'two/',
    details: { runId: `${FAILING.id}/${definitionId}:${startId}:two:last_attempt:1` },
    cause: { type: 'NO_STOCK', message: 'nothing left', nodeId: 'E' },
  };
}
