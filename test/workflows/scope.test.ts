/** A scope as one step: its own time limit, its own undo, and what happens to work under way in a branch that lost. */
import { describe, expect, test } from 'vitest';
import type { Branch, Definition, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';

const action = (id: string, undo: string | null = null, more: object = {}): Node => ({
  id,
  type: 'action',
  config: { command: id, retry: { maxAttempts: 1 }, ...(undo === null ? {} : { undo: { command: undo } }) },
  ...more,
});
const scope = (nodes: readonly Node[], config: object = {}, more: object = {}): Node => ({
  id: 'scope',
  type: 'scope',
  config: { nodes, ...config },
  ...more,
});
const branch = (id: string, ...nodes: readonly Node[]): Branch => ({ id, nodes });

async function run(definition: Definition, mocks: Mocks = {}) {
  const whole = await simulate(definition, { mocks });
  const broken = await simulate(definition, { mocks, rollover: 1 });
  expect(broken).toEqual(whole);
  return whole;
}
const story = (done: Awaited<ReturnType<typeof run>>): string[] =>
  done.commands.map(({ nodeId, state, undoes }) => `${undoes ? '~' : ''}${nodeId} ${state}`);

describe('a scope', () => {
  test('ends like its last node and shares the variables around it', async () => {
    const set: Node = { id: 'set', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'x' };
    const definition: Definition = {
      id: 's',
      vars: { n: 1 },
      nodes: [scope([set, action('x')])],
      output: '${[vars.n, nodes.scope.output]}',
    };
    expect(await run(definition, { commands: { x: { output: 'X' } } })).toMatchObject({ output: [2, 'X'] });
  });

  test('that takes too long ends with TIMEOUT, which a catch may take', async () => {
    const late = action('x', null);
    const definition: Definition = {
      id: 's',
      nodes: [
        scope([late], { timeout: '5s' }, { catch: [{ errors: ['TIMEOUT'], nextNodeId: 'sorry' }] }),
        action('sorry'),
      ],
    };
    const done = await run(definition, { commands: { x: { output: 1, takes: '1h' } } });
    expect(done).toMatchObject({ state: 'completed' });
    expect(story(done)).toEqual(['x cancelled', 'sorry success']);
  });

  test('with undo takes back what completed in it when an error leaves it, and nothing else', async () => {
    const definition: Definition = {
      id: 's',
      nodes: [
        action('before', 'unBefore', { nextNodeId: 'scope' }),
        scope(
          [action('a', 'unA', { nextNodeId: 'b' }), action('b', 'unB', { nextNodeId: 'c' }), action('c')],
          { undo: true },
          { fallbackNodeId: 'after' },
        ),
        action('after'),
      ],
    };
    const done = await run(definition, { commands: { c: { error: { type: 'BROKEN', retryable: false } } } });
    expect(done.state).toBe('completed');
    expect(story(done)).toEqual([
      'before success',
      'a rolled_back',
      'b rolled_back',
      'c failed',
      '~b success',
      '~a success',
      'after success',
    ]);
  });

  test('whose undo fails tells what is not undone, and undoes the rest', async () => {
    const definition: Definition = {
      id: 's',
      nodes: [
        scope([action('a', 'unA', { nextNodeId: 'b' }), action('b', 'unB', { nextNodeId: 'c' }), action('c')], {
          undo: true,
        }),
      ],
    };
    const done = await run(definition, {
      commands: {
        c: { error: { type: 'BROKEN', retryable: false } },
        unB: { error: { type: 'STUCK', retryable: false } },
      },
    });
    expect(done).toMatchObject({
      state: 'failed',
      error: { type: 'BROKEN', details: { notUndone: [{ nodeId: 'b' }] } },
    });
    expect(story(done)).toEqual(['a rolled_back', 'b success', 'c failed', '~b failed', '~a success']);
  });
});

describe('a branch that lost', () => {
  test('awaits its command under way that has an undo, and undoes it if it succeeded', async () => {
    const definition: Definition = {
      id: 's',
      nodes: [
        {
          id: 'race',
          type: 'parallel',
          config: { join: 'any', branches: [branch('fast', action('x')), branch('slow', action('hold', 'release'))] },
          nextNodeId: 'after',
        },
        action('after'),
      ],
    };
    const done = await run(definition, {
      commands: { x: { output: 1, takes: '1s' }, hold: { output: 2, takes: '4s' } },
    });
    expect(done.state).toBe('completed');
    expect(story(done)).toEqual(['x success', 'hold rolled_back', '~hold success', 'after success']);
  });
});

describe('undo across branches (H09)', () => {
  const definition: Definition = {
    id: 's',
    nodes: [
      action('reserve', 'release', { nextNodeId: 'fork' }),
      {
        id: 'fork',
        type: 'parallel',
        config: {
          branches: [branch('money', action('charge', 'refund')), branch('goods', action('allocate', 'deallocate'))],
        },
        nextNodeId: 'notify',
      },
      action('notify'),
    ],
  };
  const slow: Mocks['commands'] = { charge: { output: 1, takes: '1s' }, allocate: { output: 1, takes: '10s' } };

  test('a cancel awaits what is under way, then undoes all in reverse order of completion', async () => {
    const done = await run(definition, { commands: slow, cancels: [{ after: '2s' }] });
    expect(done.state).toBe('cancelled');
    expect(story(done)).toEqual([
      'reserve rolled_back',
      'charge rolled_back',
      'allocate rolled_back',
      '~allocate success',
      '~charge success',
      '~reserve success',
    ]);
  });

  test('an error in one branch undoes what the others did', async () => {
    const done = await run(definition, {
      commands: {
        charge: { output: 1, takes: '1s' },
        allocate: { error: { type: 'NO_STOCK', retryable: false }, takes: '3s' },
      },
    });
    expect(done).toMatchObject({ state: 'failed', error: { type: 'NO_STOCK' } });
    expect(story(done)).toEqual([
      'reserve rolled_back',
      'charge rolled_back',
      'allocate failed',
      '~charge success',
      '~reserve success',
    ]);
  });

  test('an undo that gives up does not stop the others, and the end says what is left', async () => {
    const done = await run(definition, {
      commands: { ...slow, refund: { error: { type: 'BANK_CLOSED', retryable: false } } },
      cancels: [{ after: '2s' }],
    });
    expect(done).toMatchObject({ state: 'failed', error: { details: { notUndone: [{ nodeId: 'charge' }] } } });
    expect(story(done).slice(3)).toEqual(['~allocate success', '~charge failed', '~reserve success']);
  });
});
