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
