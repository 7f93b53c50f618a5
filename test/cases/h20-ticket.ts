/** Case H20's definition and its events, for the simulator and for servers. */
import type { Definition, Json, Node } from '../../definitions/types.ts';

const ofTicket = { 'data.number': '${event.data.number}' };

const emit = (id: string, event: string, nextNodeId: string, more: object = {}): Node => ({
  id,
  type: 'emit',
  config: { event: `issue.${event}`, data: { number: '${event.data.number}', title: '${event.data.title}', ...more } },
  nextNodeId,
});
const wait = (id: string, event: string, nextNodeId: string): Node => ({
  id,
  type: 'event',
  config: { event: `issue.${event}`, correlate: ofTicket },
  nextNodeId,
});
const refuse = (id: string, type: string, message: string): Node => ({
  id,
  type: 'end',
  config: { status: 'failed', error: { type, message } },
});

export const TICKET: Definition = {
  id: 'h20',
  trigger: { event: 'issue.opened', filters: { 'author.team': 'QA' } },
  nodes: [
    emit('to_dev', 'toDev', 'done'),
    wait('done', 'done', 'action'),
    {
      id: 'action',
      type: 'switch',
      config: {
        cases: [
          { when: 'nodes.done.output.data.nextAction == "review"', nextNodeId: 'to_review' },
          { when: 'nodes.done.output.data.nextAction == "requestDetails"', nextNodeId: 'to_qa' },
        ],
        defaultNodeId: 'unsupported',
      },
    },
    emit('to_qa', 'toQA', 'details'),
    wait('details', 'details', 'to_dev'),
    emit('to_review', 'pendingReview', 'reviewed', { exclude: '${nodes.done.output.data.dev}' }),
    wait('reviewed', 'reviewed', 'other_person'),
    {
      id: 'other_person',
      type: 'condition',
      config: { expression: 'nodes.reviewed.output.data.reviewer != nodes.done.output.data.dev' },
      nextNodeId: 'to_evaluate',
      fallbackNodeId: 'own_work',
    },
    emit('to_evaluate', 'evaluate', 'evaluated', { assignTo: '${event.data.author.id}' }),
    wait('evaluated', 'evaluated', 'good'),
    {
      id: 'good',
      type: 'condition',
      config: { expression: 'nodes.evaluated.output.data.nextAction == "close"' },
      nextNodeId: 'close',
      fallbackNodeId: 'to_dev',
    },
    {
      id: 'close',
      type: 'action',
      config: { command: 'keep', payload: { close: '${event.data.number}' } },
      nextNodeId: 'closed',
    },
    { id: 'closed', type: 'emit', config: { event: 'issue.closed', data: { number: '${event.data.number}' } } },
    refuse('unsupported', 'UNSUPPORTED_ACTION', 'unsupported action ${nodes.done.output.data.nextAction}'),
    refuse('own_work', 'INVALID_REVIEWER', 'the reviewer is the developer'),
  ],
};

export interface TicketEvent {
  readonly type: string;
  readonly data: { readonly [field: string]: Json };
}

export const opened = (number: number, team = 'QA'): TicketEvent => ({
  type: 'issue.opened',
  data: { number, title: `ticket ${number}`, author: { id: 'q1', team } },
});

const done = (number: number, dev: string, nextAction: string): TicketEvent => ({
  type: 'issue.done',
  data: { number, dev, nextAction },
});

/** What happens to a ticket that is evaluated as `verdict`. */
export const rounds = (number: number, verdict: 'rework' | 'close'): readonly TicketEvent[] => [
  done(number, 'd1', 'requestDetails'),
  { type: 'issue.details', data: { number } },
  done(number, 'd1', 'review'),
  { type: 'issue.reviewed', data: { number, reviewer: 'r1' } },
  { type: 'issue.evaluated', data: { number, nextAction: verdict } },
  ...(verdict === 'close'
    ? []
    : [done(number, 'd2', 'review'), { type: 'issue.reviewed', data: { number, reviewer: 'd2' } }]),
];

export const dance = (number: number): readonly TicketEvent[] => [done(number, 'd1', 'dance')];

/** What is emitted, without the `issue.` of each. */
export const told = (emitted: readonly { readonly type: string }[] | undefined): string[] =>
  (emitted ?? []).map(({ type }) => type.replace('issue.', ''));

export const REWORKED = ['toDev', 'toQA', 'toDev', 'pendingReview', 'evaluate', 'toDev', 'pendingReview'];
export const CLOSED = ['toDev', 'toQA', 'toDev', 'pendingReview', 'evaluate', 'closed'];
