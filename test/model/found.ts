/** Cases that walker and reference once told differently, cut down to what shows it. */
import type { Case } from './grammar.ts';

export const FOUND: readonly (Case & { readonly title: string })[] = [
  {
    title: 'an action that is awaited past the timeout of the run, and succeeds, does not make the run succeed',
    definition: {
      id: 'late',
      timeout: '5000ms',
      nodes: [{ id: 'slow', type: 'action', config: { command: 'a', undo: true } }],
    },
    mocks: { commands: { a: [{ output: 1, takes: '9001ms' }, { takes: '101ms' }] } },
  },
  {
    title: 'an action that is awaited past the timeout of its scope is taken back, and the scope has timed out',
    definition: {
      id: 'late-scope',
      nodes: [
        {
          id: 'hurried',
          type: 'scope',
          config: {
            timeout: '5000ms',
            nodes: [{ id: 'slow', type: 'action', config: { command: 'a', undo: true } }],
          },
          catch: [{ errors: ['TIMEOUT'], nextNodeId: 'fork' }],
          nextNodeId: 'never',
        },
        {
          id: 'fork',
          type: 'parallel',
          config: { branches: [{ id: 'b', nodes: [{ id: 'nap', type: 'delay', config: { duration: '11ms' } }] }] },
        },
        { id: 'never', type: 'end', config: { status: 'failed' } },
      ],
    },
    mocks: { commands: { a: [{ output: 1, takes: '9001ms' }, { takes: '101ms' }] } },
  },
  {
    title: 'a variable that a fork shares is seen as it is now in forks inside it that do not name it',
    definition: {
      id: 'layers',
      vars: { n: 0 },
      nodes: [
        {
          id: 'outer',
          type: 'parallel',
          config: {
            shared: ['n'],
            branches: [
              {
                id: 'writes',
                nodes: [
                  { id: 'first', type: 'delay', config: { duration: '101ms' }, nextNodeId: 'set' },
                  { id: 'set', type: 'assign', config: { vars: { n: 7 } } },
                ],
              },
              {
                id: 'reads',
                nodes: [
                  {
                    id: 'inner',
                    type: 'forEach',
                    config: {
                      items: '[1]',
                      nodes: [
                        { id: 'later', type: 'delay', config: { duration: '203ms' }, nextNodeId: 'tell' },
                        { id: 'tell', type: 'action', config: { command: 'a', payload: { n: '${vars.n}' } } },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        },
      ],
    },
    mocks: { commands: { a: { takes: '11ms' } } },
  },
];
