/** A list walked item by item: order, window, names, errors, nested loops. */
import { describe, expect, test } from 'vitest';
import type { Definition, ForEachNode, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';

const work = (id: string, payload: object, more: object = {}): Node => ({
  id,
  type: 'action',
  config: { command: id, payload: payload as never, retry: { maxAttempts: 3, jitter: 0 } },
  ...more,
});

const each = (config: Partial<ForEachNode['config']>, more: object = {}): Definition => ({
  id: 'list',
  nodes: [
    {
      id: 'each',
      type: 'forEach',
      config: { items: 'input', nodes: [work('x', { n: '${item}' })], ...config },
      ...more,
    },
  ],
});

async function run(definition: Definition, options: { input: unknown; mocks?: Mocks }) {
  const { input, mocks = {} } = options;
  const whole = await simulate(definition, { mocks, input: input as never });
  const broken = await simulate(definition, { mocks, input: input as never, rollover: 1 });
  expect(broken).toEqual(whole);
  return whole;
}

describe('items', () => {
  test('outputs come in item order, whatever the order of completion', async () => {
    const mocks: Mocks = {
      commands: {
        x: [
          { when: 'payload.n == 1.0', output: 'one', takes: '3s' },
          { when: 'payload.n == 2.0', output: 'two', takes: '1s' },
          { output: 'three', takes: '2s' },
        ],
      },
    };
    const done = await run(each({}), { input: [1, 2, 3], mocks });
    expect(done.output).toEqual(['one', 'two', 'three']);
    expect(done.commands.map(({ commandId }) => commandId.slice(done.runId.length))).toEqual([
      '/each[0]/x/1',
      '/each[1]/x/1',
      '/each[2]/x/1',
    ]);
  });

  test('an empty list is done at once', async () => {
    expect((await run(each({}), { input: [] })).output).toEqual([]);
  });

  test('what is no list is an error of the node', async () => {
    const done = await run(each({}), { input: { a: 1 } });
    expect(done).toMatchObject({ state: 'failed', error: { type: 'EXPRESSION_ERROR', nodeId: 'each' } });
  });

  test('no more items are under way than its concurrency allows', async () => {
    const mocks: Mocks = { commands: { x: { output: 1, takes: '1s' } } };
    const done = await run(each({ concurrency: 2 }), { input: [1, 2, 3, 4, 5], mocks });
    const starts = done.commands.map(
      ({ command }) => (Date.parse(command.timestamp) - Date.parse(done.startedAt)) / 1000,
    );
    expect(starts).toEqual([0, 0, 1, 1, 2]);
  });

  test('hundreds of items wait for a slot without being lost', async () => {
    const input = Array.from({ length: 450 }, (_, index) => index);
    const inner: Node = {
      id: 'inner',
      type: 'forEach',
      config: { items: 'input', concurrency: 200, nodes: [work('y', {})] },
    };
    const definition = each({ concurrency: 3, items: '[1, 2, 3]', nodes: [inner] });
    const done = await simulate(definition, { input, mocks: { commands: { y: { output: 1, takes: '1s' } } } });
    expect(done.state).toBe('completed');
    expect(done.commands).toHaveLength(1350);
    expect(Date.parse(done.completedAt ?? '') - Date.parse(done.startedAt)).toBe(7000);
  });

  test('the first error fails the list and knows what had completed', async () => {
    const mocks: Mocks = {
      commands: {
        x: [{ when: 'payload.n == 2.0', error: { type: 'ODD', retryable: false }, takes: '1s' }, { output: 'ok' }],
      },
    };
    const done = await run(each({ concurrency: 3 }), { input: [1, 2, 3], mocks });
    expect(done.error).toMatchObject({
      type: 'ODD',
      nodeId: 'x',
      path: 'each[1]/',
      details: { completed: { '0': 'ok', '2': 'ok' } },
    });
  });

  test('settled gives every end in item order', async () => {
    const mocks: Mocks = {
      commands: { x: [{ when: 'payload.n == 2.0', error: { type: 'ODD', retryable: false } }, { output: 'ok' }] },
    };
    const done = await run(each({ join: 'settled' }), { input: [1, 2, 3], mocks });
    expect(done.output).toMatchObject([
      { status: 'completed', output: 'ok' },
      { status: 'failed', error: { type: 'ODD' } },
      { status: 'completed' },
    ]);
  });
});

describe('loops in loops (H05)', () => {
  const nested: Definition = {
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
              config: { items: 'o.list', as: 'i', concurrency: 1, nodes: [work('X', { o: '${o.name}', i: '${i}' })] },
              nextNodeId: 'Y',
            },
            work('Y', { o: '${o.name}', n: '${size(nodes.inner.output)}' }),
          ],
        },
      },
    ],
  };
  const calls = (done: { commands: readonly { nodeId: string; command: { payload: unknown } }[] }): string[] =>
    done.commands.map(({ nodeId, command }) => `${nodeId}(${Object.values(command.payload as object).join(',')})`);

  test('the step behind the inner loop runs once an outer item', async () => {
    const input = [
      { name: 'a', list: [1, 2, 3] },
      { name: 'b', list: [1, 2, 3] },
    ];
    const done = await run(nested, { input });
    expect(calls(done)).toEqual(['X(a,1)', 'X(a,2)', 'X(a,3)', 'Y(a,3)', 'X(b,1)', 'X(b,2)', 'X(b,3)', 'Y(b,3)']);
    expect(new Set(done.commands.map(({ commandId }) => commandId)).size).toBe(8);
  });

  test('an empty inner list leaves the step behind it', async () => {
    const input = [
      { name: 'a', list: [1] },
      { name: 'b', list: [] },
    ];
    expect(calls(await run(nested, { input }))).toEqual(['X(a,1)', 'Y(a,1)', 'Y(b,0)']);
  });

  test('only the call that fails is tried again, with one key', async () => {
    const mocks: Mocks = {
      commands: {
        X: [{ when: 'payload.o == "b" && payload.i == 2.0 && attempt < 3', error: { type: 'FLAKY' } }, { output: 1 }],
      },
    };
    const input = [{ name: 'b', list: [1, 2, 3] }];
    const done = await run(nested, { input, mocks });
    expect(done.commands.map(({ attempts }) => attempts)).toEqual([1, 3, 1, 1]);
  });
});
