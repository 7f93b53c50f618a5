/** Definitions that the tests of the simulator walk, each with what the world answers. */
import type { Definition } from '../../definitions/types.ts';
import type { SimulateOptions } from '../../testing/simulate.ts';

export interface Sample {
  readonly definition: Definition;
  readonly options: SimulateOptions;
}

const ann = { id: 'ann' };
const bob = { id: 'bob' };

/** Draft, review by a person, and back to the draft until the review is good. */
const rework: Definition = {
  id: 'rework',
  vars: { round: 0 },
  output: { round: '${vars.round}', said: '${nodes.review.output.data}' },
  nodes: [
    { id: 'count', type: 'assign', config: { vars: { round: '${vars.round + 1}' } }, nextNodeId: 'draft' },
    {
      id: 'draft',
      type: 'action',
      config: { command: 'draft', payload: { round: '${vars.round}' }, undo: true },
      nextNodeId: 'review',
    },
    {
      id: 'review',
      type: 'approval',
      config: { title: 'Round ${vars.round}', timeout: '10m' },
      nextNodeId: 'publish',
      fallbackNodeId: 'count',
      transitions: { timeout: 'late' },
      maxVisits: 5,
    },
    {
      id: 'publish',
      type: 'action',
      config: { command: 'publish', undo: { command: 'unpublish', payload: '${nodes.publish.output}' } },
    },
    { id: 'late', type: 'end', config: { status: 'failed', error: { type: 'TOO_LATE', message: 'no review' } } },
  ],
};

const twoEyes: Definition = {
  id: 'two-eyes',
  output: '${nodes.ok.output}',
  nodes: [
    { id: 'prepare', type: 'action', config: { command: 'prepare' }, nextNodeId: 'ok' },
    { id: 'ok', type: 'approval', config: { quorum: 2, timeout: '1h' }, nextNodeId: 'go', fallbackNodeId: 'stop' },
    { id: 'go', type: 'action', config: { command: 'go' } },
    { id: 'stop', type: 'action', config: { command: 'stop' } },
  ],
};

const decided = (after: string, outcome: string, by = ann, nodeId = 'ok') => ({ after, nodeId, outcome, by });

export const DEFINITIONS: { readonly [name: string]: Sample } = {
  'rework loop': {
    definition: rework,
    options: {
      mocks: {
        commands: { draft: { takes: '10s' } },
        decisions: [
          decided('30s', 'rejected', ann, 'review'),
          { ...decided('60s', 'approved', bob, 'review'), data: { stars: 5 } },
        ],
      },
    },
  },
  'rework loop without a review': { definition: rework, options: {} },
  'approval in time': {
    definition: twoEyes,
    options: { mocks: { decisions: [decided('1m', 'approved'), decided('2m', 'approved', bob)] } },
  },
  'approval before its node': {
    definition: twoEyes,
    options: {
      mocks: {
        commands: { prepare: { takes: '50s' } },
        decisions: [decided('10s', 'approved'), decided('20s', 'approved', bob)],
      },
    },
  },
  'approval too late': {
    definition: twoEyes,
    options: { mocks: { decisions: [decided('1m', 'approved'), decided('61m', 'approved', bob)] } },
  },
  'approval at its very deadline': {
    definition: twoEyes,
    options: { mocks: { decisions: [decided('1m', 'approved'), decided('60m', 'approved', bob)] } },
  },
  'retries, a caught error and a jump back': {
    definition: {
      id: 'caught',
      vars: { tries: 0 },
      nodes: [
        {
          id: 'work',
          type: 'action',
          config: { command: 'work', retry: { maxAttempts: 2, initialInterval: '3s' }, timeout: '5s', deadline: '1m' },
          catch: [
            { errors: ['GONE'], nextNodeId: 'again' },
            { errors: ['TIMEOUT'], nextNodeId: 'pause' },
          ],
          maxVisits: 10,
        },
        {
          id: 'again',
          type: 'assign',
          config: { vars: { tries: '${vars.tries + 1}' } },
          nextNodeId: 'work',
          maxVisits: 10,
        },
        { id: 'pause', type: 'delay', config: { duration: '1h' }, nextNodeId: 'last' },
        {
          id: 'last',
          type: 'switch',
          config: { cases: [{ when: 'vars.tries == 2', nextNodeId: 'good' }], defaultNodeId: 'bad' },
        },
        { id: 'good', type: 'end', config: { output: { tries: '${vars.tries}', why: '${error.type}' } } },
        { id: 'bad', type: 'end', config: { status: 'failed' } },
      ],
    },
    options: {
      mocks: {
        commands: {
          work: [
            { error: { type: 'GONE', retryable: false } },
            { error: { type: 'BUSY' } },
            { error: { type: 'GONE', retryable: false }, takes: '2s' },
            { takes: '9s' },
          ],
        },
      },
    },
  },
  'cancelled in a delay, with undo': {
    definition: {
      id: 'booking',
      nodes: [
        {
          id: 'reserve',
          type: 'action',
          config: { command: 'reserve', undo: { command: 'release' } },
          nextNodeId: 'charge',
        },
        { id: 'charge', type: 'action', config: { command: 'charge', undo: true }, nextNodeId: 'wait' },
        { id: 'wait', type: 'delay', config: { duration: '1d' } },
      ],
    },
    options: {
      mocks: {
        commands: { release: [{ error: { type: 'BUSY' } }, {}] },
        cancels: [{ after: '2h', reason: 'changed my mind' }],
      },
    },
  },
  'run timeout, with an undo that gives up': {
    definition: {
      id: 'limited',
      timeout: '30m',
      nodes: [
        {
          id: 'reserve',
          type: 'action',
          config: { command: 'reserve', undo: { command: 'release' } },
          nextNodeId: 'charge',
        },
        { id: 'charge', type: 'action', config: { command: 'charge', undo: true }, nextNodeId: 'ok' },
        { id: 'ok', type: 'approval', config: {} },
      ],
    },
    options: { mocks: { commands: { release: { error: { type: 'LOST', retryable: false } } } } },
  },
  'waiting for ever': {
    definition: { id: 'patient', nodes: [{ id: 'ok', type: 'approval', config: {} }] },
    options: {},
  },
  'a handler that comes late': {
    definition: { id: 'deployed', nodes: [{ id: 'work', type: 'action', config: { command: 'work' } }] },
    options: { mocks: { commands: { work: [{ when: 'attempt < 4', error: { type: 'HANDLER_NOT_FOUND' } }, {}] } } },
  },
};
