/** The loop of case H08: `n = 0; while n < turns { n = inc(n) }; done(n)`. */
import type { Definition } from '../../definitions/types.ts';

export function counting({ turns, local = false }: { readonly turns: number; readonly local?: boolean }): Definition {
  const maxVisits = turns + 1;
  return {
    id: 'h08',
    vars: { n: 0 },
    output: '${vars.n}',
    nodes: [
      {
        id: 'more',
        type: 'condition',
        config: { expression: `vars.n < ${turns}` },
        nextNodeId: 'inc',
        fallbackNodeId: 'done',
        maxVisits,
      },
      {
        id: 'inc',
        type: 'action',
        config: { command: 'increment', payload: { n: '${vars.n}' }, local },
        nextNodeId: 'keep',
        maxVisits,
      },
      {
        id: 'keep',
        type: 'assign',
        config: { vars: { n: '${nodes.inc.output.n}' } },
        nextNodeId: 'more',
        maxVisits,
      },
      { id: 'done', type: 'action', config: { command: 'ledger', payload: { name: 'done ${vars.n}' } } },
    ],
  };
}
