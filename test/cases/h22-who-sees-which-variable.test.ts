/** H22: loop variables end with the loop, branches have private names, and shared ones lose no update. */
import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../definitions/index.ts';
import type { Branch, Definition, Node } from '../../definitions/types.ts';
import { simulate } from '../../testing/simulate.ts';
import { calls, inTurn, step } from './tell.ts';

const set = (id: string, vars: { readonly [name: string]: string | number }): Node => ({
  id,
  type: 'assign',
  config: { vars },
});
const errors = (definition: Definition) =>
  parseDefinition(JSON.stringify(definition)).issues.filter(({ severity }) => severity === 'error');

describe('H22 (a): loops in loops', () => {
  const inner: Node = {
    id: 'inner',
    type: 'forEach',
    config: { items: '[5, 6, 7, 8]', as: 'i', concurrency: 1, shared: ['w'], nodes: [set('write', { w: '${i}' })] },
  };
  const definition: Definition = {
    id: 'loops',
    vars: { w: 0 },
    output: '${vars.w}',
    nodes: [
      {
        id: 'outer',
        type: 'forEach',
        config: { items: '[1, 2, 3, 4]', as: 'o', concurrency: 1, shared: ['w'], nodes: [inner] },
      },
    ],
  };

  test('the inner body sets the outer variable', async () => {
    expect((await simulate(definition)).output).toBe(8);
  });

  test('a loop variable read after its loop is refused', () => {
    expect(errors({ ...definition, output: '${o}' })).toHaveLength(1);
  });
});

describe('H22 (b): branches', () => {
  const branch = (id: string, vars: { readonly [name: string]: string | number }): Branch => ({
    id,
    nodes: [set(`set_${id}`, vars)],
  });
  const definition: Definition = {
    id: 'branches',
    vars: { res: {} },
    output: '${vars}',
    nodes: [
      {
        id: 'fork',
        type: 'parallel',
        config: {
          shared: ['res'],
          branches: [
            branch('a', { t: 1, res: '${{"b": get(vars, "res.b", 0), "a": 1}}' }),
            branch('b', { t: 2, res: '${{"a": get(vars, "res.a", 0), "b": 2}}' }),
          ],
        },
      },
    ],
  };

  test('both write the shared variable, and their own names are unknown outside', async () => {
    expect((await simulate(definition)).output).toEqual({ res: { a: 1, b: 2 } });
  });

  test('writing an outer variable that is not shared is refused', () => {
    const [fork] = definition.nodes;
    const unshared = { ...fork, config: { ...(fork as { config: object }).config, shared: [] } } as unknown as Node;
    expect(errors({ ...definition, nodes: [unshared] }).length).toBeGreaterThan(0);
  });
});

describe('H22 (c): sums', () => {
  test('ten branches lose no update, the slowest first', async () => {
    const branches = Array.from(
      { length: 10 },
      (_, index): Branch => ({
        id: `b${index + 1}`,
        nodes: inTurn(
          { id: `wait${index}`, type: 'delay', config: { delayMs: 10_000 - 1000 * index } },
          set(`add${index}`, { n: `\${vars.n + ${index + 1}}` }),
        ),
      }),
    );
    const definition: Definition = {
      id: 'sum',
      vars: { n: 0 },
      output: '${vars.n}',
      nodes: [{ id: 'fork', type: 'parallel', config: { shared: ['n'], branches } }],
    };
    expect((await simulate(definition)).output).toBe(55);
  });
});

describe('H22 (d): errors in items', () => {
  const fault = { error: { type: 'ODD', retryable: false } };
  const mocks = { commands: { work: [{ when: 'payload.n % 2 == 1', ...fault }, { output: 'even' }] } };
  const list = (join: 'all' | 'settled'): Definition => ({
    id: 'odd',
    nodes: [
      {
        id: 'each',
        type: 'forEach',
        config: { items: '[0, 1, 2, 3, 4, 5]', join, nodes: [step('work', { payload: { n: '${item}' } })] },
        fallbackNodeId: 'handler',
      },
      step('handler', { payload: '${error}' }),
    ],
  });

  test('the handler runs once, with the first error and what had completed', async () => {
    const done = await simulate(list('all'), { mocks });
    expect(calls(done).filter((call) => call === 'handler')).toHaveLength(1);
    expect(done.commands.at(-1)?.command.payload).toMatchObject({
      type: 'ODD',
      path: 'each[1]/',
      details: { completed: { '0': 'even' } },
    });
  });

  test('settled keeps all of them', async () => {
    const done = await simulate(list('settled'), { mocks });
    expect((done.output as { status: string }[]).map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'completed',
      'failed',
      'completed',
      'failed',
    ]);
  });
});
