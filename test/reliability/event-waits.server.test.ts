/** What waiting runs must live through: a publisher that dies, no worker, large events, repeats, fresh histories. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect, sweepEvents } from '../../client/index.ts';
import type { Definition, Json, Node } from '../../definitions/types.ts';
import { EVENT } from '../../definitions/wire.ts';
import { eventsWith, registrations, waiting } from '../cases/conclude.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { startProcess } from '../setup/worker-process.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const wait = (id: string, more: object = {}): Node => ({
  id,
  type: 'event',
  config: { event: 'paid', correlate: { 'data.order': '${input.order}' } },
  ...more,
});
const ONCE: Definition = { id: 'once', nodes: [wait('wait')], output: '${nodes.wait.output.id}' };
/** Takes three events, and gives their ids in order. */
const THRICE: Definition = {
  id: 'thrice',
  vars: { ids: [] },
  output: '${vars.ids}',
  nodes: [
    wait('wait', { nextNodeId: 'note' }),
    {
      id: 'note',
      type: 'assign',
      config: { vars: { ids: '${vars.ids + [nodes.wait.output.id]}' } },
      nextNodeId: 'more',
    },
    { id: 'more', type: 'condition', config: { expression: 'size(vars.ids) < 3' }, nextNodeId: 'wait' },
  ],
};

const paid = (order: string, more: object = {}) => ({
  id: uniqueName('evt'),
  type: 'paid',
  source: '/shop',
  data: { order, ...more } as Json,
});

/** A run that waits for its order, the order being its id. */
async function startWaiting(definition: Definition, options: { readonly rolloverEvents?: number } = {}) {
  const order = uniqueName('order');
  const handle = await stage.start(definition, { input: { order }, ...options });
  await waiting(stage.store, handle.workflowId, 'wait');
  await vi.waitFor(async () => expect(await waitsOf(handle.workflowId)).toBeGreaterThan(0), 20_000);
  return { handle, order };
}

/** Waits of a run that an event would find. */
async function waitsOf(runId: string): Promise<number> {
  return await query('select from fermata.event_waits where run_id = $1 and closed_at is null', [runId]);
}

async function query(text: string, values: readonly string[] = []): Promise<number> {
  const database = new pg.Client({ connectionString: stage.databaseUrl });
  await database.connect();
  const { rowCount } = await database.query(text, [...values]);
  await database.end();
  return rowCount ?? 0;
}

describe('a run that waits for an event', () => {
  test('is told by the sweep when its publisher was killed between storing the event and telling it', async () => {
    const { handle, order } = await startWaiting(ONCE);
    const event = paid(order);
    const publisher = await startProcess(new URL('./signalling-main.ts', import.meta.url), {
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: temporalNamespace(),
      DATABASE_URL: stage.databaseUrl,
      FERMATA_TASK_QUEUE: stage.taskQueue,
      FERMATA_TEST_EVENT: JSON.stringify(event),
    });
    await publisher.says('a run waits to be told');
    await publisher.kill();
    await query('update fermata.events set lease_until = clock_timestamp()');
    await sweepEvents(stage.fermata, { olderThanMs: 0 });
    expect((await stage.conclude(handle)).document.output).toBe(event.id);
    expect(await stage.store.events.get(event.id)).toMatchObject({ done: true });
  });

  test('has what came while no worker was up, in order', async () => {
    const { handle, order } = await startWaiting(THRICE);
    await stage.stopWorker();
    const events = [paid(order), paid(order), paid(order)];
    for (const event of events) await stage.fermata.events.publish(event);
    await stage.startWorker();
    expect((await stage.conclude(handle)).document.output).toEqual(events.map(({ id }) => id));
  });

  test('takes an event once, however often it is published, told or signalled', async () => {
    const { handle, order } = await startWaiting(THRICE);
    const events = [paid(order), paid(order), paid(order)] as const;
    for (const event of events) {
      await stage.fermata.events.publish(event);
      await stage.fermata.events.publish(event);
      await handle.signal(EVENT, event).catch(() => undefined);
    }
    expect((await stage.conclude(handle)).document.output).toEqual(events.map(({ id }) => id));
  });

  test('looks up an event that is too large for a signal, and its history stays small', async () => {
    const { handle, order } = await startWaiting(ONCE);
    const event = paid(order, { text: 'x'.repeat(100_000) });
    await stage.fermata.events.publish(event);
    const { document, histories } = await stage.conclude(handle);
    expect(document.output).toBe(event.id);
    const [signalled] = eventsWith(histories, 'workflowExecutionSignaledEventAttributes');
    const input = signalled?.workflowExecutionSignaledEventAttributes?.input?.payloads ?? [];
    expect(input.reduce((bytes, { data }) => bytes + (data?.length ?? 0), 0)).toBeLessThan(4096);
  });

  test('reads through megabytes of events that its filter does not want', async () => {
    const order = uniqueName('order');
    const config = { event: 'paid', correlate: { 'data.order': '${input.order}' }, filter: 'event.data.good' };
    const picky: Definition = {
      id: 'picky',
      nodes: [
        {
          id: 'nap',
          type: 'event',
          config: { event: 'begin', correlate: { 'data.order': order } },
          nextNodeId: 'wait',
        },
        { id: 'wait', type: 'event', config },
      ],
      output: '${nodes.wait.output.id}',
    };
    const handle = await stage.start(picky, { input: { order } });
    await waiting(stage.store, handle.workflowId, 'nap');
    const text = 'x'.repeat(200_000);
    for (let n = 0; n < 30; n++) await stage.fermata.events.publish(paid(order, { good: false, text }));
    const good = paid(order, { good: true });
    await stage.fermata.events.publish(good);
    await stage.fermata.events.publish({ type: 'begin', source: '/shop', data: { order } });
    expect((await stage.conclude(handle)).document.output).toBe(good.id);
  });

  test('takes an event that somebody signals by hand, and ignores what is none', async () => {
    const { handle, order } = await startWaiting(ONCE);
    for (const nonsense of [null, 'paid', { type: 'paid' }, { id: 7, type: 'paid' }])
      await handle.signal(EVENT, nonsense);
    await handle.signal(EVENT, { id: 'by-hand', type: 'paid', data: { order } });
    expect((await stage.conclude(handle)).document.output).toBe('by-hand');
  });

  test('goes on waiting in fresh histories, and registers each wait once', async () => {
    const { handle, order } = await startWaiting(THRICE, { rolloverEvents: 8 });
    const events = [paid(order), paid(order), paid(order)];
    for (const event of events) await stage.fermata.events.publish(event);
    const { document, histories } = await stage.conclude(handle);
    expect(document.output).toEqual(events.map(({ id }) => id));
    expect(histories.length).toBeGreaterThan(1);
    expect(registrations(histories)).toBe(3);
  });

  test('that was ended through Temporal is settled by the first event that does not find it', async () => {
    const { handle, order } = await startWaiting(ONCE);
    await handle.terminate('by an operator');
    const event = paid(order);
    const { waits } = await stage.fermata.events.publish(event);
    expect(waits).toEqual([{ runId: handle.workflowId, nodeId: 'wait', status: 'ended' }]);
    expect(await waitsOf(handle.workflowId)).toBe(0);
    expect((await stage.fermata.events.publish(paid(order))).waits).not.toContainEqual(
      expect.objectContaining({ runId: handle.workflowId }),
    );
  });

  test('has no open wait left when it was cancelled', async () => {
    const { handle } = await startWaiting(ONCE);
    await handle.cancel();
    expect((await stage.conclude(handle)).document.state).toBe('cancelled');
    await vi.waitFor(async () => expect(await waitsOf(handle.workflowId)).toBe(0), 10_000);
  });
});

describe('an event that a run emits', () => {
  test('starts runs and wakes those that wait, as any event does', async () => {
    const { handle, order } = await startWaiting(ONCE);
    await stage.fermata.definitions.publish({
      id: 'follow',
      trigger: { event: 'paid' },
      nodes: [{ id: 'work', type: 'action', config: { command: 'keep', payload: '${event.data}' } }],
    });
    const emitter = await stage.start(
      {
        id: 'emitter',
        nodes: [
          { id: 'tell', type: 'emit', config: { event: 'paid', subject: order, data: { order: '${input.order}' } } },
        ],
      },
      { input: { order } },
    );
    const { document } = await stage.conclude(emitter);
    const id = `${emitter.workflowId}/tell/1`;
    expect(document.emitted).toMatchObject([{ id, type: 'paid', subject: order, data: { order } }]);
    expect((await stage.conclude(handle)).document.output).toBe(id);
    const [run] = (await stage.store.runs.list({ eventId: id })).items;
    expect(await stage.fermata.runs.result(run?.runId ?? '')).toEqual({ order });
    await stage.fermata.definitions.disable('follow');
  });

  test("is of the run's own tenant, whoever walks the run", async () => {
    const acme = await connect({
      temporal: { client: stage.client },
      databaseUrl: stage.databaseUrl,
      taskQueue: stage.taskQueue,
      tenant: 'acme',
    });
    const listens = (id: string): Definition => ({
      id,
      trigger: { event: 'acme.told' },
      nodes: [{ id: 'work', type: 'action', config: { command: 'keep', payload: '${event.id}' } }],
    });
    const tells: Definition = { id: 'tells', nodes: [{ id: 'tell', type: 'emit', config: { event: 'acme.told' } }] };
    await acme.definitions.publish(tells);
    await acme.definitions.publish(listens('theirs'));
    await stage.fermata.definitions.publish(listens('ours'));
    const run = await acme.runs.start('tells', { id: 't1' });
    const { id } = (await run.result()) as { id: string };
    expect(id).toBe('acme/tells/t1/tell/1');
    expect((await acme.store.runs.list({ eventId: id })).items).toMatchObject([{ definitionId: 'theirs' }]);
    expect(await stage.store.events.get(id)).toBeNull();
    await acme.close();
  });
});
