/**
 * Definitions that are walked twice: in the simulator and on Temporal, with the same answers from the world. Together
 * they have every node type and every way out of one; their histories are also what `test/replay` keeps.
 */
import { readFileSync } from 'node:fs';
import { parseDefinition } from '../../definitions/index.ts';
import type { Definition, Json, Node } from '../../definitions/types.ts';
import { type Mocks, parseMocks } from '../../testing/index.ts';
import { CHILD_SAMPLES } from './child-samples.ts';
import { SCOPE_SAMPLES } from './scope-samples.ts';

export interface Sample {
  readonly definition: Definition;
  /** Definitions of the runs that it begins. */
  readonly definitions?: readonly Definition[];
  readonly event?: Json;
  readonly input?: Json;
  readonly mocks: Mocks;
  /** Sent before the run begins, whatever their `after`. */
  readonly early?: boolean;
  /** Events of one history after which the run goes over into a fresh one; default: when Temporal suggests it. */
  readonly rolloverEvents?: number;
  /** Node at which a cancel of the mocks meets the run. */
  readonly cancelAt?: string;
}

const action = (id: string, command: string, more: object = {}): Node => ({
  id,
  type: 'action',
  config: { command, retry: { initialInterval: '20ms' }, ...more },
});

function example(name: string): Pick<Sample, 'definition' | 'event' | 'mocks'> {
  const read = (file: string): string =>
    readFileSync(new URL(`../../examples/${name}/${file}`, import.meta.url), 'utf8');
  const { definition, issues } = parseDefinition(read('definition.json'));
  if (definition === null) throw new Error(`examples/${name}: ${issues.map(({ message }) => message).join('; ')}`);
  return { definition, event: JSON.parse(read('event.json')) as Json, mocks: parseMocks(read('mocks.yaml')) };
}

/** The article's two hours are those of the time-skipping server; here they are short. */
function withShortDelays({ nodes, ...definition }: Definition): Definition {
  const shortened = nodes.map((node): Node => (node.type === 'delay' ? { ...node, config: { delayMs: 50 } } : node));
  return { ...definition, nodes: shortened };
}

const lead = example('lead-onboarding');
const expense = example('expense-approval');
const ann = { id: 'ann' };

export const SAMPLES: { readonly [name: string]: Sample } = {
  'lead-onboarding': { ...lead, definition: withShortDelays(lead.definition) },
  'lead-onboarding-small-company': {
    ...lead,
    definition: withShortDelays(lead.definition),
    event: {
      ...(lead.event as object),
      data: { ...(lead.event as { data: object }).data, company: { name: 'One', size: 1 } },
    },
  },
  'expense-approval': expense,
  rework: {
    definition: {
      id: 'rework',
      vars: { round: 0 },
      output: '${vars.round}',
      nodes: [
        { id: 'count', type: 'assign', config: { vars: { round: '${vars.round + 1}' } }, nextNodeId: 'draft' },
        { ...action('draft', 'draft', { payload: { round: '${vars.round}' }, undo: true }), nextNodeId: 'review' },
        {
          id: 'review',
          type: 'approval',
          config: { title: 'Round ${vars.round}' },
          nextNodeId: 'publish',
          fallbackNodeId: 'count',
          maxVisits: 5,
        },
        action('publish', 'publish', { payload: '${nodes.draft.output}' }),
      ],
    },
    mocks: {
      commands: { draft: { output: { text: 'good' } } },
      decisions: [
        { after: '1s', nodeId: 'review', visit: 1, outcome: 'rejected', by: ann },
        { after: '2s', nodeId: 'review', visit: 2, outcome: 'rejected', by: ann },
        { after: '3s', nodeId: 'review', visit: 3, outcome: 'approved', by: ann },
      ],
    },
  },
  'approval-quorum-and-refusals': {
    definition: {
      id: 'two-eyes',
      output: '${nodes.ok.output.outcome}',
      nodes: [
        {
          id: 'ok',
          type: 'approval',
          config: { quorum: 2, assignees: { users: ['ann', 'bob', 'cid'] }, exclude: ['bob'], rejectAt: 2 },
          nextNodeId: 'go',
        },
        action('go', 'go'),
      ],
    },
    mocks: {
      decisions: [
        { after: '1s', nodeId: 'ok', outcome: 'approved', by: ann },
        { after: '2s', nodeId: 'ok', outcome: 'approved', by: ann },
        { after: '3s', nodeId: 'ok', outcome: 'approved', by: { id: 'bob' } },
      ],
      cancels: [{ after: '4s', reason: 'nobody else may decide' }],
    },
    cancelAt: 'ok',
  },
  'approval-handed-on': {
    definition: {
      id: 'handed-on',
      output: '${nodes.ok.output.data}',
      nodes: [
        {
          id: 'ok',
          type: 'approval',
          config: {
            title: 'Pay?',
            assignees: { users: ['ann', 'bob'] },
            form: { type: 'object', required: ['limit'] },
            subject: { amount: 5 },
            reminders: ['10d'],
            escalate: [{ after: '20d', assignees: { users: ['eve'] }, notify: 'late' }],
          },
          nextNodeId: 'go',
        },
        action('go', 'go'),
      ],
    },
    mocks: {
      tasks: [
        { after: '1s', nodeId: 'ok', action: 'claim', by: ann },
        { after: '2s', nodeId: 'ok', action: 'delegate', by: ann, to: 'zoe' },
      ],
      decisions: [
        { after: '3s', nodeId: 'ok', outcome: 'approved', by: { id: 'bob' }, data: { limit: 5 } },
        { after: '4s', nodeId: 'ok', outcome: 'approved', by: { id: 'zoe' } },
        { after: '5s', nodeId: 'ok', outcome: 'approved', by: { id: 'zoe' }, data: { limit: 5 } },
      ],
    },
  },
  'approval-early-signal': {
    definition: {
      id: 'early',
      nodes: [
        { ...action('prepare', 'prepare'), nextNodeId: 'ok' },
        { id: 'ok', type: 'approval', config: {}, nextNodeId: 'go' },
        action('go', 'go'),
      ],
    },
    mocks: {
      commands: { prepare: { takes: '20ms' } },
      decisions: [{ after: '0s', nodeId: 'ok', outcome: 'approved', by: ann }],
    },
    early: true,
  },
  'approval-timeout': {
    definition: {
      id: 'late',
      nodes: [
        {
          id: 'ok',
          type: 'approval',
          config: { timeout: '200ms' },
          catch: [{ errors: ['WAIT_TIMEOUT'], nextNodeId: 'chase' }],
        },
        action('chase', 'chase', { payload: { why: '${error.type}', at: '${error.nodeId}' } }),
      ],
    },
    mocks: {},
  },
  'undo-after-failure': {
    definition: {
      id: 'saga',
      nodes: [
        { ...action('car', 'reserve', { payload: { what: 'car' }, undo: true }), nextNodeId: 'hotel' },
        {
          ...action('hotel', 'reserve', {
            payload: { what: 'hotel' },
            undo: { command: 'release', payload: { id: '${nodes.hotel.output.id}' } },
          }),
          nextNodeId: 'flight',
        },
        action('flight', 'fly'),
      ],
    },
    mocks: {
      commands: {
        reserve: { output: { id: 7 } },
        release: [{ error: { type: 'BUSY' } }, {}],
        fly: { error: { type: 'NO_SEAT', message: 'full', retryable: false, details: { flight: 'X1' } } },
      },
    },
  },
  'undo-that-gives-up': {
    definition: {
      id: 'stuck-saga',
      nodes: [{ ...action('a', 'reserve', { undo: { command: 'release' } }), nextNodeId: 'b' }, action('b', 'fly')],
    },
    mocks: {
      commands: {
        release: { error: { type: 'LOST', retryable: false } },
        fly: { error: { type: 'NO_SEAT', retryable: false } },
      },
    },
  },
  'cancel-in-a-delay': {
    definition: {
      id: 'booking',
      nodes: [
        { ...action('car', 'reserve', { undo: { command: 'release' } }), nextNodeId: 'nap' },
        { id: 'nap', type: 'delay', config: { duration: '1h' } },
      ],
    },
    mocks: { cancels: [{ after: '1s', reason: 'changed my mind' }] },
    cancelAt: 'nap',
  },
  'retries-then-fallback': {
    definition: {
      id: 'retries',
      nodes: [
        { ...action('once', 'flaky'), nextNodeId: 'twice' },
        {
          ...action('twice', 'broken', { retry: { maxAttempts: 2, initialInterval: '20ms' } }),
          fallbackNodeId: 'mend',
        },
        action('mend', 'mend', { payload: { step: '${error.nodeId}', type: '${error.type}' } }),
      ],
    },
    mocks: {
      commands: {
        flaky: [{ error: { type: 'BUSY' } }, { error: { type: 'BUSY' } }, { output: { ok: true } }],
        broken: { error: { type: 'BUSY', message: 'always' } },
      },
    },
  },
  'switch-catch-and-errors': {
    definition: {
      id: 'switches',
      vars: { n: 0 },
      nodes: [
        { id: 'count', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'choose', maxVisits: 9 },
        {
          id: 'choose',
          type: 'switch',
          config: {
            cases: [
              { when: 'vars.n == 1', nextNodeId: 'absent' },
              { when: 'vars.n == 2', nextNodeId: 'gone' },
            ],
          },
          catch: [{ errors: ['NO_MATCH'], nextNodeId: 'lenient' }],
        },
        {
          id: 'absent',
          type: 'condition',
          config: { expression: 'input.nothing > 3' },
          catch: [{ errors: ['EXPRESSION_ERROR'], nextNodeId: 'count' }],
        },
        { ...action('gone', 'gone'), catch: [{ errors: ['GONE'], nextNodeId: 'count' }] },
        {
          id: 'lenient',
          type: 'condition',
          config: { expression: 'input.nothing > 3', onError: 'false' },
          fallbackNodeId: 'failed',
        },
        {
          id: 'failed',
          type: 'end',
          config: { status: 'failed', error: { type: 'GAVE_UP', message: 'after ${vars.n}' } },
        },
      ],
    },
    input: {},
    mocks: { commands: { gone: { error: { type: 'GONE', retryable: false } } } },
  },
  'handler-form-of-failure-and-limits': {
    definition: {
      id: 'limits',
      nodes: [
        { ...action('refused', 'refused'), catch: [{ errors: ['COMMAND_FAILED'], nextNodeId: 'loop' }] },
        { id: 'loop', type: 'assign', config: { vars: {} }, nextNodeId: 'loop', maxVisits: 3 },
      ],
    },
    mocks: { commands: { refused: { output: { success: false, error: 'no' } } } },
  },
  'attempt-timeout': {
    definition: {
      id: 'slow',
      nodes: [
        { ...action('slow', 'slow', { timeout: '1s', retry: { maxAttempts: 1 } }), fallbackNodeId: 'told' },
        { id: 'told', type: 'end', config: { output: '${error.type}' } },
      ],
    },
    mocks: { commands: { slow: { takes: '3s' } } },
  },
  'events-and-emits': {
    definition: {
      id: 'listens',
      output: ['${nodes.first.output.data}', '${nodes.second.outcome}', '${nodes.own.output.data}'],
      nodes: [
        { ...action('prepare', 'prepare'), nextNodeId: 'first' },
        {
          id: 'first',
          type: 'event',
          config: { event: 'listens.paid', correlate: { 'data.n': '${input.n}' } },
          nextNodeId: 'second',
        },
        {
          id: 'second',
          type: 'event',
          config: { event: ['listens.paid', 'listens.void'], filter: 'event.data.big', timeout: '1h' },
          nextNodeId: 'never',
          transitions: { 'listens.void': 'tell' },
        },
        {
          id: 'tell',
          type: 'emit',
          config: { event: 'listens.told', subject: '${run.id}', data: { n: '${input.n + 1}' } },
          nextNodeId: 'own',
        },
        {
          id: 'own',
          type: 'event',
          config: { event: 'listens.told', correlate: { subject: '${run.id}' } },
          nextNodeId: 'late',
        },
        {
          id: 'late',
          type: 'event',
          config: { event: 'listens.paid', correlate: { 'data.n': 7 }, timeout: '200ms' },
          fallbackNodeId: 'told',
        },
        { id: 'told', type: 'assign', config: { vars: { why: '${error.type}' } } },
        { id: 'never', type: 'end', config: { status: 'failed' } },
      ],
    },
    input: { n: 5 },
    mocks: {
      events: [
        { type: 'listens.paid', id: 'listens-1', data: { n: '5' } },
        { type: 'listens.paid', id: 'listens-2', data: { n: 5, of: 1 } },
        { type: 'listens.void', id: 'listens-3', data: { big: false } },
        { type: 'listens.void', id: 'listens-4', data: { big: true } },
      ],
    },
  },
  'delays-that-are-due': {
    definition: {
      id: 'due',
      nodes: [
        { id: 'past', type: 'delay', config: { until: '2020-01-01T00:00:00Z' }, nextNodeId: 'none' },
        { id: 'none', type: 'delay', config: { delayMs: 0 }, nextNodeId: 'wrong' },
        { id: 'wrong', type: 'delay', config: { until: '${input.when}' }, fallbackNodeId: 'told' },
        { id: 'told', type: 'end', config: { output: '${error.type}' } },
      ],
    },
    input: { when: 'next tuesday' },
    mocks: {},
  },
  'delays-by-the-clocks-of-a-zone': {
    definition: {
      id: 'zones',
      nodes: [
        {
          id: 'past',
          type: 'delay',
          config: { until: '2020-01-01T00:00', timeZone: 'Europe/Paris' },
          nextNodeId: 'fork',
        },
        {
          id: 'fork',
          type: 'parallel',
          nextNodeId: 'told',
          config: {
            join: 'settled',
            branches: [
              { id: 'a', nodes: [{ id: 'lost', type: 'delay', config: { duration: '1h', calendar: 'nowhere' } }] },
              {
                id: 'b',
                nodes: [{ id: 'zone', type: 'delay', config: { duration: 'P1M', timeZone: '${input.zone}' } }],
              },
              { id: 'c', nodes: [{ id: 'late', type: 'delay', config: { cron: '${input.cron}' } }] },
            ],
          },
        },
        { id: 'told', type: 'end', config: { output: '${nodes.fork.output}' } },
      ],
    },
    input: { zone: 'Mars/Phobos', cron: '0 0 30 2 *' },
    mocks: {},
  },
  ...SCOPE_SAMPLES,
  ...CHILD_SAMPLES,
};
