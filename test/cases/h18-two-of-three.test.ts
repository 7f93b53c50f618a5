/** H18: two of three before the bell. */
import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../definitions/index.ts';
import type { Definition, Join } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { step, took } from './tell.ts';

const poll = (join: Join = { count: 2 }): Definition => ({
  id: 'quorum',
  nodes: [
    {
      id: 'bell',
      type: 'scope',
      config: {
        timeout: '5s',
        nodes: [
          {
            id: 'ask',
            type: 'parallel',
            config: { join, branches: ['p1', 'p2', 'p3'].map((id) => ({ id, nodes: [step(`do_${id}`)] })) },
          },
        ],
      },
      catch: [{ errors: ['TIMEOUT'], nextNodeId: 'expired' }],
    },
    { id: 'expired', type: 'end', config: { output: '${error}' } },
  ],
});

const ok = (takes: string) => ({ output: 'ok', takes });
const no = (takes: string) => ({ error: { type: 'NO', retryable: false }, takes });
const run = (commands: NonNullable<Mocks['commands']>, definition = poll()) =>
  simulate(definition, { mocks: { commands } });

describe('H18', () => {
  test('(a) goes on at the second success', async () => {
    const done = await run({ do_p1: ok('1s'), do_p2: no('2s'), do_p3: ok('3s') });
    expect(done.output).toMatchObject({
      p1: { status: 'completed' },
      p2: { status: 'failed' },
      p3: { status: 'completed' },
    });
    expect(took(done)).toBe(3);
  });

  test('(b) is over at the bell, and knows who had answered', async () => {
    const done = await run({ do_p1: ok('1s'), do_p2: no('2s'), do_p3: ok('6s') });
    expect(took(done)).toBe(5);
    expect(done.output).toMatchObject({ type: 'TIMEOUT', cause: { type: 'CANCELLED' } });
    expect(done.trace.map(({ nodeId, outcome, error }) => [nodeId, outcome, error?.type ?? null])).toEqual([
      ['bell', 'error', 'TIMEOUT'],
      ['ask', 'error', 'CANCELLED'],
      ['do_p1', 'success', null],
      ['do_p2', 'error', 'NO'],
      ['do_p3', 'error', 'CANCELLED'],
      ['expired', 'completed', null],
    ]);
    expect(done.trace.find(({ nodeId }) => nodeId === 'ask')?.error?.details).toEqual({
      completed: { p1: 'ok' },
      failed: ['p2'],
    });
  });

  test('(c) an answer at the very bell has one outcome', async () => {
    const done = await run({ do_p1: ok('1s'), do_p2: no('2s'), do_p3: ok('5s') });
    const again = await simulate(poll(), {
      mocks: { commands: { do_p1: ok('1s'), do_p2: no('2s'), do_p3: ok('5s') } },
      rollover: 1,
    });
    expect(again).toEqual(done);
    expect(took(done)).toBe(5);
    expect(done.trace.filter(({ nodeId }) => nodeId === 'expired').length).toBeLessThanOrEqual(1);
  });

  test('(d) says at once that two cannot be reached any more', async () => {
    const done = await run({ do_p1: no('1s'), do_p2: no('2s'), do_p3: ok('4s') });
    expect(done).toMatchObject({
      state: 'failed',
      error: { type: 'COUNT_UNREACHABLE', details: { failed: ['p1', 'p2'] } },
    });
    expect(took(done)).toBe(2);
  });

  test.each([4, 0])('(e) a quorum of %d out of three is refused at publish', (count) => {
    const { issues } = parseDefinition(JSON.stringify(poll({ count })));
    expect(issues.some(({ severity }) => severity === 'error')).toBe(true);
  });

  test('(e) a quorum beyond a list that is computed is refused when the run comes to it', async () => {
    const definition: Definition = {
      id: 'computed',
      nodes: [{ id: 'each', type: 'forEach', config: { items: 'input', join: { count: 4 }, nodes: [step('x')] } }],
    };
    const done = await simulate(definition, { input: [1, 2, 3] });
    expect(done).toMatchObject({ state: 'failed', error: { type: 'COUNT_UNREACHABLE', nodeId: 'each' }, commands: [] });
  });
});
