/** H09: `reserve > [charge | allocate] > notify`, each step but the last with its undo. */
import type { Definition, Node } from '../../definitions/types.ts';
import { inTurn, step } from './tell.ts';

const UNDONE_BY: { readonly [id: string]: string } = { reserve: 'release', charge: 'refund', allocate: 'deallocate' };

/** Tried again soon: an undo waits as its command does. */
const done = (id: string): Node =>
  step(id, {
    undo: { command: UNDONE_BY[id] ?? id },
    retry: { maxAttempts: 1, initialInterval: '200ms', nonRetryable: ['NO_STOCK'] },
  });

export const order: Definition = {
  id: 'h09',
  nodes: inTurn(
    done('reserve'),
    {
      id: 'fork',
      type: 'parallel',
      config: {
        branches: [
          { id: 'money', nodes: [done('charge')] },
          { id: 'goods', nodes: [done('allocate')] },
        ],
      },
    },
    step('notify'),
  ),
};

/** What was under way when the run was cancelled is awaited, and taken back as well: latest first. */
export const UNDONE_AFTER_CANCEL = ['reserve', 'charge', 'allocate', '~allocate', '~charge', '~reserve'];
