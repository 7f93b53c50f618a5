/** H23: three steps share one fallback, which is told the name of the step that gave up. */
import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../definitions/index.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { calls, took } from './tell.ts';

const work = (id: string, next?: string): Node => ({
  id,
  type: 'action',
  config: {
    command: id,
    retry: { maxAttempts: 4, initialInterval: '1s', maxInterval: '4s', jitter: 1, nonRetryable: ['BUSINESS'] },
  },
  ...(next === undefined ? {} : { nextNodeId: next }),
  fallbackNodeId: 'fallback',
});

const definition: Definition = {
  id: 'shared-fallback',
  nodes: [
    work('one', 'two'),
    work('two', 'three'),
    work('three'),
    {
      id: 'fallback',
      type: 'action',
      config: { command: 'fallback', payload: { step: '${error.nodeId}' }, retry: { maxAttempts: 1 } },
    },
  ],
};

const busy = { error: { type: 'BUSY' } };
const run = (commands: NonNullable<Mocks['commands']>) =>
  simulate(definition, { mocks: { commands }, random: () => 0.999 });

describe('H23', () => {
  test('(a) all well', async () => {
    expect(calls(await run({}))).toEqual(['one', 'two', 'three']);
  });

  test('(b) two infrastructure errors are waited out', async () => {
    expect(calls(await run({ two: [busy, busy, { output: 1 }] }))).toEqual(['one', 'two×3', 'three']);
  });

  test('(c) a step that gives up goes to the fallback, which knows it; the run completes', async () => {
    const done = await run({ two: busy });
    expect(calls(done)).toEqual(['one', 'two×4!', 'fallback']);
    expect(done).toMatchObject({ state: 'completed' });
    expect(done.commands.at(-1)?.command.payload).toEqual({ step: 'two' });
    // At most 1, 2 and 4 s and their jitter, which may double them.
    expect(took(done)).toBeLessThanOrEqual(14);
  });

  test('(d) a business error is tried once', async () => {
    const done = await run({ one: { error: { type: 'BUSINESS' } } });
    expect(calls(done)).toEqual(['one!', 'fallback']);
    expect(done.commands.at(-1)?.command.payload).toEqual({ step: 'one' });
  });

  test('(e) a fallback that fails names itself, with the first error as cause', async () => {
    const done = await run({ two: busy, fallback: { error: { type: 'BROKEN', retryable: false } } });
    expect(done).toMatchObject({ state: 'failed', error: { type: 'BROKEN', nodeId: 'fallback' } });
    expect(done.trace.at(-1)).toMatchObject({ nodeId: 'fallback', outcome: 'error' });
  });

  test('an unknown entry among the nodes is named with its path', () => {
    const odd = { ...definition, nodes: [...definition.nodes, { QueryLanguage: 'JSONata' }] };
    const { issues } = parseDefinition(JSON.stringify(odd));
    expect(issues.some(({ path }) => path.startsWith('/nodes/4'))).toBe(true);
  });
});
