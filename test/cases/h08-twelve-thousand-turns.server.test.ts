/** Case H08 on the server: its first line at full length, its variants with fewer turns and early rollovers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsWith } from './conclude.ts';
import { DECIDE, STATE } from '../../definitions/wire.ts';
import type { RunView } from '../../workflows/run-view.ts';
import { counting, countingInABranch, countingThenAsking, countingThenFailing } from './counting.ts';
import { type Handle, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Temporal warns from here on. */
const WARNING_EVENTS = 10_240;

async function concluded(handle: Handle, turns: number) {
  const { document, histories } = await stage.conclude(handle);
  expect(document).toMatchObject({ runId: handle.workflowId, state: 'completed', output: turns });
  const increments = document.commands.filter(({ nodeId }) => nodeId === 'inc');
  expect(new Set(increments.map(({ commandId }) => commandId)).size).toBe(turns);
  expect(increments.every(({ state, attempts }) => state === 'success' && attempts === 1)).toBe(true);
  expect((await stage.ledger.of(handle.workflowId)).map(({ name }) => name)).toEqual([`done ${turns}`]);
  for (const { events } of histories) expect(events?.length).toBeLessThan(WARNING_EVENTS);
  return histories;
}

describe('H08', () => {
  test('12,000 turns with a local command end with the right number, in fresh histories under one run id', async () => {
    const handle = await stage.start(counting({ turns: 12_000, local: true }));
    const histories = await concluded(handle, 12_000);
    expect(histories.length).toBeGreaterThan(1);
  }, 180_000);

  test('1,500 turns with a regular command and a rollover at 1,000 events end with the right number', async () => {
    const handle = await stage.start(counting({ turns: 1500 }), { rolloverEvents: 1000 });
    const histories = await concluded(handle, 1500);
    expect(histories.length).toBeGreaterThanOrEqual(9);
    expect(eventsWith(histories, 'activityTaskCompletedEventAttributes')).toHaveLength(1501);
  }, 120_000);

  test('a timer in every turn, in one branch of a fork', async () => {
    const loop = { turns: 80, pause: '5ms' };
    const handle = await stage.start(countingInABranch(loop), { rolloverEvents: 150 });
    const { document, histories } = await stage.conclude(handle);
    expect(document).toMatchObject({ state: 'completed', output: 80 });
    expect(histories.length).toBeGreaterThan(3);
    expect(await namesInLedger(handle)).toEqual(['beside', 'done 80']);
  });

  test('a failure behind the loop undoes once what was done before it', async () => {
    const handle = await stage.start(countingThenFailing({ turns: 80 }), { rolloverEvents: 150 });
    const { document, histories } = await stage.conclude(handle);
    expect(document).toMatchObject({ state: 'failed', error: { type: 'NO_STOCK' } });
    expect(histories.length).toBeGreaterThan(2);
    expect(await namesInLedger(handle)).toEqual(['before', 'undo before']);
  });

  test('a decision that comes during the loop counts behind it, however many histories later', async () => {
    const handle = await stage.start(countingThenAsking({ turns: 120 }), { rolloverEvents: 150 });
    await expect.poll(() => turnOf(handle), { timeout: 20_000 }).toBeGreaterThan(5);
    await stage.client.workflow.getHandle(handle.workflowId).signal(DECIDE, {
      nodeId: 'ask',
      outcome: 'approved',
      by: { id: 'ann' },
    });
    expect(await turnOf(handle)).toBeLessThan(120);
    const { document, histories } = await stage.conclude(handle);
    expect(document).toMatchObject({ state: 'completed', output: 120 });
    const [first, ...others] = histories;
    const early = eventsWith(histories, 'workflowExecutionSignaledEventAttributes');
    expect(early).toHaveLength(1);
    expect(others.length).toBeGreaterThan(2);
    expect(first?.events?.length).toBeLessThan(WARNING_EVENTS);
  });
});

async function namesInLedger({ workflowId }: Handle): Promise<string[]> {
  return (await stage.ledger.of(workflowId)).map(({ name }) => name);
}

/** The number that the loop has come to. */
async function turnOf({ workflowId }: Handle): Promise<number> {
  const { vars } = await stage.client.workflow.getHandle(workflowId).query<RunView>(STATE);
  return Number(vars['n'] ?? 0);
}
