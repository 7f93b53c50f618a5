/** Case H04 (v) in the simulator. */
import { describe, expect, test } from 'vitest';
import { simulate } from '../../testing/index.ts';
import { FAILING, fork, lastFailure } from './h04-sub-workflow.ts';

const mocks = {
  commands: {
    fatal: { error: { type: 'NO_STOCK', message: 'nothing left', retryable: false } },
    keep: ['A', 'C', 'G', 'I'].map((id) => ({ when: `payload == '${id}'`, output: id })),
  },
};
const outcomesOf = async (...of: Parameters<typeof fork>) => {
  const run = await simulate(fork(...of), { id: '7', definitions: [FAILING], mocks });
  const outcomes = run.trace.map(({ nodeId, outcome, error }) => `${nodeId} ${error?.type ?? outcome}`);
  return { run, outcomes };
};

describe('H04 (v)', () => {
  test('fail fast: the run fails with the last attempt, and the other branches are cancelled', async () => {
    const { run, outcomes } = await outcomesOf('fast', 'all', false);
    expect(run).toMatchObject({ state: 'failed', error: lastFailure('h04-fast/7') });
    expect(outcomes).toEqual(expect.arrayContaining(['D CANCELLED', 'F CANCELLED']));
    expect(outcomes.join()).not.toMatch(/\b[GI] |report/);
    expect(run.children?.map(({ runId, state }) => [runId.split('two:')[1], state])).toEqual([
      ['attempt:1', 'failed'],
      ['attempt:2', 'failed'],
      ['last_attempt:1', 'failed'],
    ]);
  });

  test('collect all: the report sees the status of each branch', async () => {
    const { run } = await outcomesOf('all', 'settled', false);
    expect(run.state).toBe('completed');
    const report = run.commands.find(({ nodeId }) => nodeId === 'report');
    expect(report?.command.payload).toMatchObject({
      output: {
        one: { status: 'completed', output: 'G' },
        two: { status: 'failed', error: lastFailure('h04-all/7') },
        three: { status: 'completed', output: 'I' },
      },
    });
  });

  test('optional: the run completes, with the error in the details of the fork', async () => {
    const { run } = await outcomesOf('optional', 'all', true);
    expect(run.state).toBe('completed');
    const report = run.commands.find(({ nodeId }) => nodeId === 'report');
    expect(report?.command.payload).toMatchObject({
      output: { one: 'G', two: null, three: 'I' },
      error: { details: { two: lastFailure('h04-optional/7') } },
    });
  });
});
