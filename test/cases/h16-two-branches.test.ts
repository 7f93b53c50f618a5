/** H16: five sample activities, two branches, results bound to names. */
import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../definitions/index.ts';
import type { Definition, Json, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { calls, inTurn } from './tell.ts';

const call = (id: string, command: string, args: readonly string[]): Node => ({
  id,
  type: 'action',
  config: { command, payload: { args } },
});

const definition: Definition = {
  id: 'samples',
  vars: { arg1: 'value1', arg2: 'value2', arg3: 'value3' },
  output: '${nodes.last.output}',
  nodes: inTurn(
    call('r1', 's1', ['${vars.arg1}']),
    {
      id: 'fork',
      type: 'parallel',
      config: {
        branches: [
          {
            id: 'left',
            nodes: inTurn(
              call('r2', 's2', ['${nodes.r1.output}']),
              call('r3', 's3', ['${vars.arg2}', '${nodes.r2.output}']),
            ),
          },
          {
            id: 'right',
            nodes: inTurn(
              call('r4', 's4', ['${nodes.r1.output}']),
              call('r5', 's5', ['${vars.arg3}', '${nodes.r4.output}']),
            ),
          },
        ],
      },
    },
    call('last', 's1', ['${nodes.fork.output.left}', '${nodes.fork.output.right}']),
  ),
};

/** Mocks cannot compute, so each knows what the echo of its arguments is. */
function echoes(slow: 'left' | 'right', more: Mocks['commands'] = {}): Mocks {
  const echo = (output: Json, takes: string) => ({ output, takes });
  const [left, right] = slow === 'left' ? ['5s', '1s'] : (['1s', '5s'] as const);
  const r1 = 's1(value1)';
  return {
    commands: {
      s1: [
        { when: 'size(payload.args) == 1', output: r1 },
        { output: `s1(s3(value2,s2(${r1})),s5(value3,s4(${r1})))` },
      ],
      s2: echo(`s2(${r1})`, left ?? '1s'),
      s3: echo(`s3(value2,s2(${r1}))`, left ?? '1s'),
      s4: echo(`s4(${r1})`, right ?? '1s'),
      s5: echo(`s5(value3,s4(${r1}))`, right ?? '1s'),
      ...more,
    },
  };
}

describe('H16', () => {
  test.each(['left', 'right'] as const)('gives the same result whichever branch is slow: %s', async (slow) => {
    const run = await simulate(definition, { mocks: echoes(slow) });
    expect(run.output).toBe('s1(s3(value2,s2(s1(value1))),s5(value3,s4(s1(value1))))');
    expect(run.commands.at(-1)?.command.payload).toEqual({
      args: ['s3(value2,s2(s1(value1)))', 's5(value3,s4(s1(value1)))'],
    });
  });

  test('an argument that names no variable is refused, not passed as its own name', () => {
    const wrong = JSON.stringify(definition).replace('${vars.arg1}', '${vars.arg9}');
    expect(parseDefinition(wrong).issues).toMatchObject([{ severity: 'error', nodeId: 'r1' }]);
  });

  test('a branch that fails cancels its sibling, and nothing goes on after the run has ended', async () => {
    const run = await simulate(definition, {
      mocks: echoes('left', { s4: { error: { type: 'FATAL', retryable: false }, takes: '1s' } }),
    });
    expect(run.state).toBe('failed');
    expect(calls(run)).toEqual(['r1', 'r2-', 'r4!']);
  });
});
