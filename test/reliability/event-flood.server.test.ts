/** More events in one workflow task than one history should take, sent while no worker is up to a run that waits. */
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { eventsWith, waiting } from '../cases/conclude.ts';
import { openStage } from '../cases/stage.ts';

const FLOOD = 6_000;
const AT_ONCE = 100;

const definition: Definition = {
  id: 'event-flood',
  nodes: [
    {
      id: 'paid',
      type: 'event',
      config: { event: 'paid', correlate: { 'data.order': 'O-7' }, filter: 'event.data.ok' },
    },
  ],
};

/** Whether the run knows that its wait is registered: until then it keeps some of what comes, and the rest is looked up. */
async function hasRegistered(handle: WorkflowHandle): Promise<boolean> {
  const { events = [] } = await handle.fetchHistory();
  const answered = (events ?? []).findIndex((event) => event.activityTaskCompletedEventAttributes);
  return answered >= 0 && (events ?? []).slice(answered).some((event) => event.workflowTaskCompletedEventAttributes);
}

test('6,000 events of 3 KB while no worker is up are one workflow task, and the one that counts is taken', async () => {
  const stage = await openStage();
  try {
    const handle = await stage.start(definition);
    await waiting(stage.store, handle.workflowId, 'paid');
    const current = stage.client.workflow.getHandle(handle.workflowId);
    await vi.waitFor(async () => expect(await hasRegistered(current)).toBe(true), 10_000);
    await stage.stopWorker();
    const send = (id: string, order: string): Promise<void> =>
      current.signal('event', { id, type: 'paid', data: { order, ok: id === 'it', text: 'x'.repeat(3_000) } });
    for (let sent = 0; sent < FLOOD; sent += AT_ONCE) {
      const orders = Array.from({ length: AT_ONCE }, (_, index) => (index % 2 === 0 ? 'O-7' : 'O-8'));
      await Promise.all(orders.map((order, index) => send(`e${sent + index}`, order)));
    }
    await send('it', 'O-7');
    await stage.startWorker();
    const { histories } = await stage.conclude(handle, { withinMs: 60_000 });
    expect(await handle.result()).toMatchObject({ id: 'it' });
    expect(eventsWith(histories, 'workflowExecutionSignaledEventAttributes')).toHaveLength(FLOOD + 1);
    expect(eventsWith(histories, 'workflowTaskFailedEventAttributes')).toEqual([]);
  } finally {
    await stage.close();
  }
}, 240_000);
