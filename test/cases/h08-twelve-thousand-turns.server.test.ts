/** Case H08, first line, on the server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsWith } from './conclude.ts';
import { counting } from './counting.ts';
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
});
