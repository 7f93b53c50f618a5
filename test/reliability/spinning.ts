/** A loop of `visits` visits, half of them assigning and half asking, without an effect. */
import type { Definition } from '../../definitions/types.ts';

export function spinning(visits: number): Definition {
  const turns = visits / 2;
  const maxVisits = turns + 1;
  return {
    id: 'spinning',
    vars: { n: 0 },
    output: '${vars.n}',
    nodes: [
      { id: 'count', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'more', maxVisits },
      { id: 'more', type: 'condition', config: { expression: `vars.n < ${turns}` }, nextNodeId: 'count', maxVisits },
    ],
  };
}
