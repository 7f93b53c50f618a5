/** H19: a change request is approved, refused, or approves itself; somebody is reminded. Seconds of the case may be shorter. */
import type { Definition } from '../../definitions/types.ts';
import { inTurn, step } from './tell.ts';

export interface Pace {
  readonly auto: string;
  readonly reminder: string;
  readonly idle: string;
}
export const PACE: Pace = { auto: '60s', reminder: '30s', idle: '7d' };

/** Three branches race; then the change is applied only if approved, and the requester is told. */
export function changeRequest({ auto, reminder, idle }: Pace = PACE): Definition {
  return {
    id: 'change-request',
    vars: { approved: false, status: 'starting' },
    nodes: [
      {
        id: 'race',
        type: 'parallel',
        config: {
          join: 'first',
          shared: ['approved'],
          branches: [
            {
              id: 'auto',
              nodes: inTurn(
                { id: 'auto_wait', type: 'delay', config: { duration: auto } },
                { id: 'auto_yes', type: 'assign', config: { vars: { approved: true } } },
              ),
            },
            {
              id: 'remind',
              nodes: inTurn(
                { id: 'remind_wait', type: 'delay', config: { duration: reminder } },
                step('remind', { command: 'notify' }),
                { id: 'idle', type: 'delay', config: { duration: idle } },
              ),
            },
            {
              id: 'people',
              nodes: [
                step('notify', {}, { nextNodeId: 'review' }),
                {
                  id: 'review',
                  type: 'approval',
                  config: { title: 'Change ${input.id}?', assignees: { users: ['rev'] } },
                  nextNodeId: 'yes',
                  fallbackNodeId: 'no',
                },
                { id: 'yes', type: 'assign', config: { vars: { approved: true } } },
                { id: 'no', type: 'assign', config: { vars: { approved: false } } },
              ],
            },
          ],
        },
        nextNodeId: 'status',
      },
      {
        id: 'status',
        type: 'assign',
        config: { vars: { status: "${vars.approved ? 'approved' : 'refused'}" } },
        nextNodeId: 'is_approved',
      },
      {
        id: 'is_approved',
        type: 'condition',
        config: { expression: 'vars.approved' },
        nextNodeId: 'apply',
        fallbackNodeId: 'tell',
      },
      step('apply', {}, { nextNodeId: 'tell' }),
      step('tell', { payload: { approved: '${vars.approved}' } }),
    ],
  };
}

/** H18 (f): three people must say yes, each asked on their own; a no is an error, which ends the others' requests. */
export const threeYes: Definition = {
  id: 'three-yes',
  nodes: [
    {
      id: 'all',
      type: 'parallel',
      config: {
        branches: ['p1', 'p2', 'p3'].map((id) => ({
          id,
          nodes: [{ id: `ask_${id}`, type: 'approval', config: { assignees: { users: [id] } } }],
        })),
      },
      nextNodeId: 'go',
      fallbackNodeId: 'stop',
    },
    { id: 'go', type: 'end', config: { output: 'go' } },
    { id: 'stop', type: 'end', config: { output: '${error.message}' } },
  ],
};
