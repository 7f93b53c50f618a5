import { describe, expect, test } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { simulate } from '../../testing/index.ts';

const charge: Definition = {
  id: 'pay',
  nodes: [{ id: 'charge', type: 'action', config: { command: 'charge', undo: { command: 'refund' } } }],
};

describe('a cancel while the last command is under way', () => {
  test('awaits the command, undoes it and ends cancelled', async () => {
    const run = await simulate(charge, {
      mocks: {
        commands: { charge: { output: 1, takes: '10s' } },
        cancels: [{ after: '2s', reason: 'changed my mind' }],
      },
    });
    expect(run.state).toBe('cancelled');
    expect(run.commands.map(({ command, state }) => [command.type, state])).toEqual([
      ['charge', 'rolled_back'],
      ['refund', 'success'],
    ]);
  });
});

describe('a run timeout at the very moment of another end', () => {
  const approval = (timeout: string): Definition => ({
    id: 'tie',
    timeout: '10s',
    nodes: [
      { id: 'ok', type: 'approval', config: { timeout }, fallbackNodeId: 'after' },
      { id: 'after', type: 'action', config: { command: 'after' } },
    ],
  });

  test.each([[1], [Infinity]])('goes the same way in fresh histories (rollover %d)', async (rollover) => {
    const run = await simulate(approval('10s'), { rollover });
    expect(run.error?.type).toBe('RUN_TIMEOUT');
    expect(run.trace.map(({ nodeId, outcome }) => [nodeId, outcome])).toEqual([['ok', 'timeout']]);
  });

  test('lets a run that has reached its end complete', async () => {
    const nap: Definition = {
      id: 'nap',
      timeout: '10s',
      nodes: [{ id: 'nap', type: 'delay', config: { duration: '10s' } }],
    };
    expect((await simulate(nap)).state).toBe('completed');
    expect((await simulate(nap, { rollover: 1 })).state).toBe('completed');
  });
});

describe('the error of a path', () => {
  test('has the one before it as its cause, and a loop that fails for ever keeps only the latest few', async () => {
    const loop: Definition = {
      id: 'rework',
      nodes: [
        { id: 'ok', type: 'approval', config: { timeout: '1h' }, fallbackNodeId: 'more' },
        {
          id: 'more',
          type: 'condition',
          config: { expression: 'vars.n < 40' },
          nextNodeId: 'inc',
          fallbackNodeId: 'done',
        },
        { id: 'inc', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'ok' },
        { id: 'done', type: 'end', config: { output: '${error}' } },
      ],
      vars: { n: 0 },
    };
    const run = await simulate(loop);
    const causes = JSON.stringify(run.output).split('"WAIT_TIMEOUT"').length - 2;
    expect(causes).toBe(5);
  });
});

describe('a decision that comes early for a later visit', () => {
  test('is kept until that visit, also while an earlier one opens', async () => {
    const rework: Definition = {
      id: 'rework',
      nodes: [
        { id: 'nap', type: 'delay', config: { duration: '10s' }, nextNodeId: 'ok' },
        { id: 'ok', type: 'approval', config: {}, transitions: { rejected: 'nap' } },
      ],
    };
    const by = { id: 'ann' };
    const run = await simulate(rework, {
      mocks: {
        decisions: [
          { after: '1s', nodeId: 'ok', visit: 2, outcome: 'approved', by },
          { after: '11s', nodeId: 'ok', outcome: 'rejected', by },
        ],
      },
    });
    expect(run.state).toBe('completed');
    expect(run.trace.filter(({ nodeId }) => nodeId === 'ok').map(({ outcome }) => outcome)).toEqual([
      'rejected',
      'approved',
    ]);
  });
});
