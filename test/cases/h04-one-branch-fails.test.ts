/** H04: one branch of a fork fails, and people want different things of it. */
import { describe, expect, test } from 'vitest';
import type { Branch, Definition, Join, Node } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { simulate } from '../../testing/simulate.ts';
import { calls, inTurn, step } from './tell.ts';

const branch = (id: string, nodes: readonly Node[], more: Partial<Branch> = {}): Branch => ({ id, nodes, ...more });
const first = branch('one', inTurn(step('A'), step('D'), step('G')));
const second = branch('two', inTurn(step('B'), step('E'), step('H')));
const third = branch('three', inTurn(step('C'), step('F'), step('I')));

const fork = (branches: readonly Branch[], join: Join = 'all'): Definition => ({
  id: 'fork',
  nodes: inTurn(
    { id: 'fork', type: 'parallel', config: { branches, join } },
    step('report', { payload: '${nodes.fork}' }),
  ),
});

const mocks: Mocks = {
  commands: {
    A: { output: 'a', takes: '1s' },
    D: { output: 'd', takes: '3s' },
    G: { output: 'g' },
    E: { error: { type: 'FATAL', message: 'no', retryable: false }, takes: '1s' },
    C: { output: 'c', takes: '1s' },
    F: { output: 'f', takes: '3s' },
    I: { output: 'i' },
  },
};

describe('H04', () => {
  test('(i) fail fast: the error names node and branch, and what was under way is cancelled, not failed', async () => {
    const run = await simulate(fork([first, second, third]), { mocks });
    expect(run).toMatchObject({ state: 'failed', error: { type: 'FATAL', nodeId: 'E', path: 'two/' } });
    expect(calls(run)).toEqual(['A', 'B', 'C', 'E!', 'D-', 'F-']);
  });

  test('(ii) collect all: the report sees how each branch ended', async () => {
    const run = await simulate(fork([first, second, third], 'settled'), { mocks });
    expect(run.state).toBe('completed');
    expect(calls(run)).toEqual(['A', 'B', 'C', 'E!', 'D', 'F', 'G', 'I', 'report']);
    expect(run.commands.at(-1)?.command.payload).toMatchObject({
      output: {
        one: { status: 'completed', output: 'g' },
        two: { status: 'failed', error: { type: 'FATAL', nodeId: 'E' } },
        three: { status: 'completed', output: 'i' },
      },
    });
  });

  test('(iii) an optional branch that fails does not fail the run, and its error is kept', async () => {
    const run = await simulate(fork([first, { ...second, optional: true }, third]), { mocks });
    expect(run.state).toBe('completed');
    expect(run.commands.at(-1)?.command.payload).toMatchObject({
      output: { one: 'g', two: null, three: 'i' },
      error: { details: { two: { type: 'FATAL' } } },
    });
  });

  test('(iv) a branch whose chosen path is empty lets the join complete', async () => {
    const empty: Node = { id: 'B', type: 'condition', config: { expression: 'false' }, nextNodeId: 'E' };
    const run = await simulate(fork([first, branch('two', [empty, step('E')]), third]), { mocks });
    expect(run.state).toBe('completed');
    expect(calls(run)).not.toContain('E');
  });
});
