/** The loop of case H08: `n = 0; while n < turns { n = inc(n) }; done(n)`, and its variants. */
import type { Definition, Node } from '../../definitions/types.ts';
import { inTurn, step } from './tell.ts';

export interface Loop {
  readonly turns: number;
  /** Default: a regular command. */
  readonly local?: boolean;
  /** Every turn waits so long. */
  readonly pause?: string;
}

export function counting(loop: Loop): Definition {
  return { id: 'h08', vars: { n: 0 }, output: '${vars.n}', nodes: loopThen(loop, done) };
}

const done: Node = { id: 'done', type: 'action', config: { command: 'ledger', payload: { name: 'done ${vars.n}' } } };

/** An action of the ledger that is undone by its rollback. */
const booked = (id: string): Node => step(id, { command: 'ledger', payload: { name: id }, undo: true });
const fatal = step('fatal');

/** The loop stands in one branch of a fork; the other ends at once. */
export function countingInABranch(loop: Loop): Definition {
  const fork: Node = {
    id: 'fork',
    type: 'parallel',
    config: {
      shared: ['n'],
      branches: [
        { id: 'loop', nodes: loopThen(loop) },
        { id: 'other', nodes: [booked('beside')] },
      ],
    },
  };
  return { id: 'h08-branch', vars: { n: 0 }, output: '${vars.n}', nodes: inTurn(fork, done) };
}

/** What was done before the loop is undone by a failure behind it. */
export function countingThenFailing(loop: Loop): Definition {
  const [first, ...rest] = loopThen(loop, fatal);
  const before = { ...booked('before'), nextNodeId: first?.id ?? '' };
  return { id: 'h08-undo', vars: { n: 0 }, nodes: [before, first as Node, ...rest] };
}

/** What somebody decides while the loop turns is awaited behind it. */
export function countingThenAsking(loop: Loop): Definition {
  const ask: Node = { id: 'ask', type: 'approval', config: {}, nextNodeId: 'done' };
  return { id: 'h08-ask', vars: { n: 0 }, output: '${vars.n}', nodes: [...loopThen(loop, ask), done] };
}

/** The nodes of the loop, and what follows it. */
function loopThen({ turns, local = false, pause }: Loop, after?: Node): readonly Node[] {
  const maxVisits = turns + 1;
  const turn = inTurn(
    {
      id: 'more',
      type: 'condition',
      config: { expression: `vars.n < ${turns}` },
      ...(after === undefined ? {} : { fallbackNodeId: after.id }),
      maxVisits,
    },
    { id: 'inc', type: 'action', config: { command: 'increment', payload: { n: '${vars.n}' }, local }, maxVisits },
    { id: 'keep', type: 'assign', config: { vars: { n: '${nodes.inc.output.n}' } }, maxVisits },
    ...(pause === undefined ? [] : [{ id: 'pause', type: 'delay', config: { duration: pause }, maxVisits } as const]),
  );
  const back = turn.map((node, index) => (index === turn.length - 1 ? { ...node, nextNodeId: 'more' } : node));
  return [...back, ...(after === undefined ? [] : [after])];
}
