/** `kill -9` of the publishing process between two starts of one event. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { sweepEvents } from '../../client/index.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { startProcess } from '../setup/worker-process.ts';

const DEFINITIONS = ['ship', 'bill', 'thank'];
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  for (const id of DEFINITIONS) {
    const nodes = [{ id: 'work', type: 'action', config: { command: 'ledger', payload: { name: id } } }] as const;
    await stage.fermata.definitions.publish({ id, trigger: { event: 'order.placed' }, nodes });
  }
});
afterAll(() => stage.close());

/** Gives the id of the event whose publisher was killed. */
async function killPublisher(): Promise<string> {
  const eventId = uniqueName('order');
  const publisher = await startProcess(new URL('./publisher-main.ts', import.meta.url), {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: stage.databaseUrl,
    FERMATA_TASK_QUEUE: stage.taskQueue,
    FERMATA_TEST_EVENT: eventId,
  });
  await publisher.says('one run has started');
  await publisher.kill();
  return eventId;
}

/** One run of each definition, which did its work once. */
async function expectEachOnce(eventId: string): Promise<void> {
  const { items } = await stage.store.runs.list({ eventId });
  expect(items.map(({ definitionId }) => definitionId).sort()).toEqual([...DEFINITIONS].sort());
  for (const { runId, definitionId } of items) {
    const { raw } = await stage.client.workflow.getHandle(runId).describe();
    const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? '';
    const { document } = await stage.conclude({ workflowId: runId, firstExecutionRunId });
    expect(document.state).toBe('completed');
    expect(await stage.ledger.of(runId)).toEqual([{ key: `${runId}/work/1`, name: definitionId, attempts: 1 }]);
  }
}

describe('an event whose publisher was killed between two starts', () => {
  test('starts the runs that are missing with the sweep after its lease', async () => {
    const eventId = await killPublisher();
    await endLeases(stage.databaseUrl);
    expect(await sweepEvents(stage.fermata, { olderThanMs: 0 })).toBe(1);
    await expectEachOnce(eventId);
  });

  test('starts the runs that are missing when it is published again, and none twice', async () => {
    const eventId = await killPublisher();
    const event = { id: eventId, type: 'order.placed', source: '/shop', data: {} };
    const { runs } = await stage.fermata.events.publish(event);
    expect(runs).toHaveLength(3);
    await expectEachOnce(eventId);
  });
});

/** As time does. */
async function endLeases(databaseUrl: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('update fermata.events set lease_until = clock_timestamp()');
  await database.end();
}
