/** Samples of branches, items and scopes, for the same two walks as those beside it. */
import type { Branch, Node } from '../../definitions/types.ts';
import type { Sample } from './samples.ts';

const action = (id: string, command: string, more: object = {}, next?: string): Node => ({
  id,
  type: 'action',
  config: { command, retry: { maxAttempts: 1 }, ...more },
  ...(next === undefined ? {} : { nextNodeId: next }),
});
const branch = (id: string, ...nodes: readonly Node[]): Branch => ({ id, nodes });

export const SCOPE_SAMPLES: { readonly [name: string]: Sample } = {
  'parallel-all': {
    definition: {
      id: 'fork',
      vars: { sum: 0 },
      output: '${[nodes.fork.output, vars.sum]}',
      nodes: [
        {
          id: 'fork',
          type: 'parallel',
          config: {
            shared: ['sum'],
            branches: [
              branch('a', action('x', 'first', {}, 'addX'), {
                id: 'addX',
                type: 'assign',
                config: { vars: { sum: '${vars.sum + nodes.x.output}' } },
              }),
              { ...branch('b', action('y', 'second')), output: '${nodes.y.output + 1}' },
              { ...branch('c', action('z', 'broken')), optional: true },
            ],
          },
        },
      ],
    },
    mocks: {
      commands: {
        first: { output: 10, takes: '150ms' },
        second: { output: 20 },
        broken: { error: { type: 'NO', retryable: false }, takes: '60ms' },
      },
    },
  },
  'parallel-first-error-cancels': {
    definition: {
      id: 'fast-fail',
      nodes: [
        action('before', 'reserve', { undo: { command: 'release' } }, 'fork'),
        {
          id: 'fork',
          type: 'parallel',
          config: {
            branches: [
              branch('a', action('quick', 'charge', { undo: { command: 'refund' } })),
              branch('b', action('bad', 'broken')),
              branch('c', { id: 'long', type: 'delay', config: { duration: '1h' } }),
              branch('d', action('held', 'allocate', { undo: { command: 'free' } })),
            ],
          },
        },
      ],
    },
    mocks: {
      commands: {
        broken: { error: { type: 'NO_STOCK', retryable: false }, takes: '300ms' },
        allocate: { output: 4, takes: '900ms' },
      },
    },
  },
  'parallel-any-and-count': {
    definition: {
      id: 'races',
      output: '${[nodes.any.output, nodes.two.output]}',
      nodes: [
        {
          id: 'any',
          type: 'parallel',
          config: {
            join: 'any',
            branches: [
              branch('bad', action('p', 'broken')),
              branch('good', action('q', 'good')),
              branch('never', { id: 'nap', type: 'delay', config: { duration: '9h' } }),
            ],
          },
          nextNodeId: 'two',
        },
        {
          id: 'two',
          type: 'parallel',
          config: {
            join: { count: 2 },
            branches: [
              branch('one', action('r', 'good')),
              branch('two', action('s', 'broken')),
              branch('three', action('t', 'later')),
            ],
          },
        },
      ],
    },
    mocks: {
      commands: {
        broken: { error: { type: 'NO', retryable: false } },
        good: { output: 'good', takes: '200ms' },
        later: { output: 'later', takes: '500ms' },
      },
    },
  },
  'end-in-a-branch': {
    definition: {
      id: 'early-end',
      nodes: [
        {
          id: 'fork',
          type: 'parallel',
          config: {
            branches: [
              branch('a', action('x', 'first', {}, 'stop'), { id: 'stop', type: 'end', config: { output: 'enough' } }),
              branch('b', { id: 'nap', type: 'delay', config: { duration: '1h' } }),
            ],
          },
        },
      ],
    },
    mocks: { commands: { first: { output: 1, takes: '50ms' } } },
  },
  'items-in-items': {
    definition: {
      id: 'nested',
      nodes: [
        {
          id: 'outer',
          type: 'forEach',
          config: {
            items: 'input',
            as: 'o',
            concurrency: 1,
            nodes: [
              {
                id: 'inner',
                type: 'forEach',
                config: {
                  items: 'o.list',
                  as: 'i',
                  concurrency: 1,
                  nodes: [action('X', 'x', { payload: { o: '${o.name}', i: '${i}' } })],
                },
                nextNodeId: 'Y',
              },
              action('Y', 'y', { payload: { o: '${o.name}', n: '${size(nodes.inner.output)}' } }),
            ],
          },
        },
      ],
    },
    input: [
      { name: 'a', list: [1, 2] },
      { name: 'b', list: [] },
    ],
    mocks: { commands: { x: { output: 'x' }, y: { output: 'y' } } },
  },
  'scope-with-undo-and-timeout': {
    definition: {
      id: 'scoped',
      nodes: [
        {
          id: 'trip',
          type: 'scope',
          config: {
            undo: true,
            nodes: [action('car', 'reserve', { undo: { command: 'release' } }, 'flight'), action('flight', 'broken')],
          },
          catch: [{ errors: ['NO'], nextNodeId: 'patient' }],
        },
        {
          id: 'patient',
          type: 'scope',
          config: {
            timeout: '300ms',
            nodes: [{ id: 'nap', type: 'delay', config: { duration: '1h' } }],
          },
          catch: [{ errors: ['TIMEOUT'], nextNodeId: 'told' }],
        },
        { id: 'told', type: 'end', config: { output: '${error.type}' } },
      ],
    },
    mocks: { commands: { broken: { error: { type: 'NO', retryable: false } } } },
  },
  'rollovers-inside-scopes': {
    definition: {
      id: 'rolling',
      vars: { n: 0 },
      output: '${[vars.n, nodes.fork.output]}',
      nodes: [
        action('before', 'reserve', { undo: { command: 'release' } }, 'fork'),
        {
          id: 'fork',
          type: 'parallel',
          config: {
            shared: ['n'],
            join: 'first',
            branches: [
              branch(
                'work',
                { ...action('turn', 'turn', { payload: { n: '${vars.n}' } }, 'count'), maxVisits: 9 },
                { id: 'count', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'more' },
                {
                  id: 'more',
                  type: 'condition',
                  config: { expression: 'vars.n < 6' },
                  nextNodeId: 'turn',
                  fallbackNodeId: 'each',
                },
                {
                  id: 'each',
                  type: 'forEach',
                  config: {
                    items: '[1, 2, 3, 4, 5]',
                    concurrency: 1,
                    nodes: [action('x', 'x', { payload: { i: '${item}' }, undo: { command: 'unX' } })],
                  },
                },
              ),
              branch('nap', { id: 'long', type: 'delay', config: { duration: '1h' } }),
            ],
          },
          nextNodeId: 'bad',
        },
        action('bad', 'broken'),
      ],
    },
    mocks: {
      commands: {
        turn: { output: 'turned' },
        x: { output: 'x' },
        broken: { error: { type: 'NO', retryable: false } },
      },
    },
    rolloverEvents: 40,
  },
  'cancel-in-branches': {
    definition: {
      id: 'cancelled-fork',
      nodes: [
        action('reserve', 'reserve', { undo: { command: 'release' } }, 'fork'),
        {
          id: 'fork',
          type: 'parallel',
          config: {
            branches: [
              branch('money', action('charge', 'charge', { undo: { command: 'refund' } })),
              branch('goods', { id: 'nap', type: 'delay', config: { duration: '1h' } }),
            ],
          },
        },
      ],
    },
    mocks: { cancels: [{ after: '1s', reason: 'changed my mind' }] },
    cancelAt: 'nap',
  },
};
