/** Samples of runs that runs begin, for the same two walks as those beside it. */
import type { Definition, Node } from '../../definitions/types.ts';
import type { Sample } from './samples.ts';

const action = (id: string, command: string, more: object = {}): Node => ({
  id,
  type: 'action',
  config: { command, retry: { maxAttempts: 1 }, ...more },
});

const shipping: Definition = {
  id: 'shipping',
  input: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } },
  nodes: [action('pack', 'pack', { payload: { sku: '${input.sku}' }, undo: true })],
};
/** Packs, and then fails. */
const losing: Definition = {
  id: 'losing',
  nodes: [
    { ...action('wrap', 'pack', { undo: true }), nextNodeId: 'lose' },
    action('lose', 'lose', { payload: { by: '${run.initiator.id}' } }),
  ],
};
/** Packs, and then waits to be cancelled. */
const napping: Definition = {
  id: 'napping',
  nodes: [
    { ...action('wrap', 'pack', { undo: true }), nextNodeId: 'nap' },
    { id: 'nap', type: 'delay', config: { duration: '1h' } },
  ],
};

export const CHILD_SAMPLES: { readonly [name: string]: Sample } = {
  'child-run': {
    definition: {
      id: 'children',
      output: '${[nodes.ship.output, nodes.later.output, nodes.refused.error.type]}',
      nodes: [
        {
          id: 'ship',
          type: 'workflow',
          config: { definitionId: 'shipping', input: { sku: '${input.sku}' } },
          nextNodeId: 'refused',
        },
        {
          id: 'refused',
          type: 'workflow',
          config: { definitionId: 'shipping', input: {} },
          catch: [{ errors: ['INPUT_INVALID'], nextNodeId: 'later' }],
        },
        { id: 'later', type: 'workflow', config: { definitionId: 'shipping', input: { sku: 'B' }, wait: false } },
      ],
    },
    definitions: [shipping],
    input: { sku: 'A' },
    mocks: { commands: { pack: { output: { parcel: 'P1' } } } },
  },
  'child-run-fails': {
    definition: {
      id: 'bereaved',
      vars: { tries: 0 },
      nodes: [
        {
          id: 'try',
          type: 'workflow',
          config: { definitionId: 'losing' },
          catch: [{ errors: ['CHILD_FAILED'], nextNodeId: 'count' }],
        },
        { id: 'count', type: 'assign', config: { vars: { tries: '${vars.tries + 1}' } }, nextNodeId: 'again' },
        {
          id: 'again',
          type: 'condition',
          config: { expression: 'vars.tries < 3' },
          nextNodeId: 'try',
          fallbackNodeId: 'tell',
        },
        action('tell', 'tell', { payload: { type: '${error.cause.type}', runId: '${error.details.runId}' } }),
      ],
    },
    definitions: [losing],
    mocks: { commands: { lose: { error: { type: 'LOST', retryable: false } } } },
  },
  'child-run-loses-a-race': {
    definition: {
      id: 'racing',
      nodes: [
        {
          id: 'race',
          type: 'parallel',
          config: {
            join: 'first',
            branches: [
              { id: 'slow', nodes: [{ id: 'child', type: 'workflow', config: { definitionId: 'napping' } }] },
              { id: 'quick', nodes: [{ id: 'wait', type: 'delay', config: { duration: '1s' } }] },
            ],
          },
        },
      ],
    },
    definitions: [napping],
    mocks: {},
  },
  'child-run-times-out': {
    definition: {
      id: 'impatient',
      nodes: [{ id: 'child', type: 'workflow', config: { definitionId: 'napping', timeout: '1s' } }],
    },
    definitions: [napping],
    mocks: {},
  },
};
