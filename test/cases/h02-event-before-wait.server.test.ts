/** Case H02: the event is faster than the step that waits for it. `h02` in `test/testing/events.test.ts` has its times. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/index.ts';
import type { PublishedEvent } from '../../client/index.ts';
import type { Definition } from '../../definitions/types.ts';
import { uniqueName } from '../setup/temporal.ts';
import { eventsWith, registrations, waiting } from './conclude.ts';
import { openStage, type Handle, type Stage } from './stage.ts';

/** What `slow` waits for, by order: the case decides how slow it is. */
const gates = new Map<string, () => void>();
const slow = defineCommand({
  type: 'slow',
  input: z.object({ order: z.string() }),
  output: z.null(),
  execute: ({ order }) => new Promise<null>((resolve) => gates.set(order, () => resolve(null))),
});

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: [slow] });
});
afterAll(() => stage.close());

const SHIP: Definition = {
  id: 'h02',
  nodes: [
    {
      id: 'slow',
      type: 'action',
      config: { command: 'slow', payload: { order: '${input.order}' } },
      nextNodeId: 'wait',
    },
    {
      id: 'wait',
      type: 'event',
      config: { event: 'payment.settled', correlate: { 'data.order': '${input.order}' }, timeout: '60s' },
      nextNodeId: 'ship',
    },
    {
      id: 'ship',
      type: 'action',
      config: { command: 'keep', payload: { amount: '${nodes.wait.output.data.amount}' } },
    },
  ],
};

const start = (order: string): Promise<Handle> => stage.start(SHIP, { input: { order } });

function settle(order: string, amount: number): Promise<PublishedEvent> {
  const id = uniqueName('evt');
  return stage.fermata.events.publish({ id, type: 'payment.settled', source: '/bank', data: { order, amount } });
}

/** Lets the run go on to its wait. */
async function open(order: string): Promise<void> {
  await vi.waitFor(() => expect(gates.has(order)).toBe(true), 10_000);
  gates.get(order)?.();
}

describe('H02', () => {
  test('a wait takes the first event of its order that came before it, and no other', async () => {
    const run = await start('O-7');
    await vi.waitFor(() => expect(gates.has('O-7')).toBe(true), 10_000);
    const first = await settle('O-7', 10);
    await settle('O-8', 99);
    await settle('O-7', 11);
    expect(first.waits).toEqual([]);
    await open('O-7');
    const { document, histories } = await stage.conclude(run);
    expect(document).toMatchObject({ state: 'completed', output: { amount: 10 } });
    expect(document.trace[1]).toMatchObject({ nodeId: 'wait', outcome: 'payment.settled', eventId: first.eventId });
    expect(eventsWith(histories, 'workflowExecutionSignaledEventAttributes')).toEqual([]);
    expect(registrations(histories)).toBe(1);
  });

  test('a run that waits already is told of its own event, and the answer says which run that is', async () => {
    const [one, other] = [await start('O-20'), await start('O-21')];
    await Promise.all([open('O-20'), open('O-21')]);
    await Promise.all([one, other].map((run) => waiting(stage.store, run.workflowId, 'wait')));
    const missed = await vi.waitFor(async () => {
      const published = await settle('O-22', 1);
      expect(published.waits).toHaveLength(2);
      return published;
    }, 10_000);
    expect(missed.waits).toEqual(
      expect.arrayContaining([
        {
          runId: one.workflowId,
          nodeId: 'wait',
          status: 'missed',
          reason: { path: 'data.order', message: 'data.order is "O-22", not "O-20"' },
        },
      ]),
    );
    const told = await settle('O-21', 21);
    expect(told.waits).toEqual([{ runId: other.workflowId, nodeId: 'wait', status: 'delivered' }]);
    expect((await stage.conclude(other)).document.output).toEqual({ amount: 21 });
    expect(await settle('O-20', 20)).toMatchObject({ waits: [{ runId: one.workflowId, status: 'delivered' }] });
    expect((await stage.conclude(one)).document.output).toEqual({ amount: 20 });
  });

  test('an event from before the run began is not for it, and explaining the event says so', async () => {
    const early = await settle('O-30', 1);
    const run = await start('O-30');
    await open('O-30');
    await waiting(stage.store, run.workflowId, 'wait');
    await vi.waitFor(async () => {
      const { waits } = await stage.fermata.events.explain(early.eventId, { runId: run.workflowId });
      expect(waits).toMatchObject([{ runId: run.workflowId, status: 'missed', reason: { path: 'lookback' } }]);
    }, 10_000);
    const own = await settle('O-30', 30);
    expect((await stage.conclude(run)).document.output).toEqual({ amount: 30 });
    await vi.waitFor(async () =>
      expect((await stage.fermata.events.explain(own.eventId, { runId: run.workflowId })).waits).toEqual([
        { runId: run.workflowId, nodeId: 'wait', status: 'taken' },
      ]),
    );
  });
});
