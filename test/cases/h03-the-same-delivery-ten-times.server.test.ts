/**
 * Case H03: webhooks are delivered at least once, and one event can start several definitions.
 *
 * Policy of (c): a run that failed is not started anew by its event; retrying it is a call of its own.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Fermata, type PublishedEvent } from '../../client/index.ts';
import type { NewEvent } from '../../client/read-event.ts';
import type { Definition } from '../../definitions/types.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { startProcess } from '../setup/worker-process.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let clients: Fermata[];
/** Every test has a type of event to itself, and so two definitions that nothing else starts. */
const lead = uniqueName('L');

beforeAll(async () => {
  stage = await openStage();
  clients = await Promise.all(Array.from({ length: 10 }, () => connectOne()));
});
afterAll(async () => {
  await Promise.all(clients.map((fermata) => fermata.close()));
  await stage.close();
});

const connectOne = (): Promise<Fermata> =>
  connect({
    temporal: { address: temporalAddress(), namespace: temporalNamespace() },
    databaseUrl: stage.databaseUrl,
    taskQueue: stage.taskQueue,
    maxDatabaseConnections: 2,
    env: {},
  });

/** Writes one row to the ledger; D1 then fails where the event says so. */
const definition = (id: string, type: string): Definition => ({
  id,
  trigger: { event: type },
  entity: { type: 'lead', id: '${event.data.lead}' },
  nodes: [
    { id: 'once', type: 'action', config: { command: 'ledger', payload: { name: id } }, nextNodeId: 'fails' },
    { id: 'fails', type: 'condition', config: { expression: `event.data.fails == "${id}"` }, nextNodeId: 'fail' },
    { id: 'fail', type: 'end', config: { status: 'failed', error: { type: 'NO_LUCK', message: 'as asked' } } },
  ],
});

async function publishTwoDefinitions(): Promise<{ readonly type: string; readonly ids: readonly [string, string] }> {
  const type = uniqueName('lead.created');
  const ids = [uniqueName('d1'), uniqueName('d2')] as const;
  for (const id of ids) await stage.fermata.definitions.publish(definition(id, type));
  return { type, ids };
}

const event = (type: string, data: { readonly lead: string; readonly fails?: string }): NewEvent & { id: string } => ({
  id: uniqueName('evt'),
  type,
  source: '/crm',
  data: { fails: 'nobody', ...data },
});

const runsOf = (published: PublishedEvent): string[] => published.runs.map(({ runId }) => runId as string);

async function count(filter: { readonly eventId: string } | { readonly lead: string }): Promise<number> {
  const rows = 'lead' in filter ? { entity: { type: 'lead', id: filter.lead } } : filter;
  return (await stage.fermata.runs.list(rows)).items.length;
}

/** Temporal's own id of each run that it knows. */
async function knownToTemporal(runIds: readonly string[]): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const runId of runIds) {
    try {
      known.set(runId, (await stage.client.workflow.getHandle(runId).describe()).runId);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  return known;
}

/** The run replays and its rows are right; its one effect was made once. */
async function concludeRun(runId: string): Promise<string> {
  const { runId: firstExecutionRunId } = await stage.client.workflow.getHandle(runId).describe();
  const handle = { ...stage.client.workflow.getHandle(runId), firstExecutionRunId };
  const { document } = await stage.conclude(handle);
  expect(await stage.ledger.of(runId)).toMatchObject([{ key: `${runId}/once/1`, attempts: 1 }]);
  return document.state;
}

test('(a) ten deliveries at once start one run of each definition, with ten equal answers; (b) later ones nothing', async () => {
  const { type, ids } = await publishTwoDefinitions();
  const first = event(type, { lead });
  const answers = await Promise.all(clients.map((fermata) => fermata.events.publish(first)));
  const told = answers.map(({ eventId, runs, notMatched }) => ({ eventId, runs, notMatched }));
  for (const answer of told) expect(answer).toEqual(told[0]);
  expect(told[0]?.runs).toEqual(
    ids.map((definitionId) => ({
      definitionId,
      version: 1,
      runId: `${definitionId}/${first.id}`,
      status: 'started',
    })),
  );
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(answers.flatMap(({ began }) => began).toSorted()).toEqual(runsOf(answers[0] as PublishedEvent).toSorted());
  expect(await count({ eventId: first.id })).toBe(2);

  for (const runId of runsOf(answers[0] as PublishedEvent)) expect(await concludeRun(runId)).toBe('completed');
  const later = await stage.fermata.events.publish(first);
  expect(later).toEqual({ ...answers[0], created: false, began: [] });
  expect(await count({ eventId: first.id })).toBe(2);
  for (const runId of runsOf(later)) expect(await concludeRun(runId)).toBe('completed');

  // (d)
  const second = await stage.fermata.events.publish(event(type, { lead }));
  expect(second.began).toHaveLength(2);
  expect(await count({ lead })).toBe(4);
  for (const runId of runsOf(second)) expect(await concludeRun(runId)).toBe('completed');
});

test('(c) a delivery after a run failed starts nothing', async () => {
  const { type, ids } = await publishTwoDefinitions();
  const failing = event(type, { lead: uniqueName('L'), fails: ids[0] });
  const published = await stage.fermata.events.publish(failing);
  const states = [];
  for (const runId of runsOf(published)) states.push(await concludeRun(runId));
  expect(states).toEqual(['failed', 'completed']);
  expect(await stage.fermata.events.publish(failing)).toEqual({ ...published, created: false, began: [] });
  expect(await count({ eventId: failing.id })).toBe(2);
  for (const runId of runsOf(published)) await concludeRun(runId);
});

test('(e) after the publishing process was killed between two starts, a delivery starts the other and not the same again', async () => {
  const { type, ids } = await publishTwoDefinitions();
  const torn = event(type, { lead: uniqueName('L') });
  const publisher = await startProcess(new URL('publish-and-die.ts', import.meta.url), {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: stage.databaseUrl,
    FERMATA_TASK_QUEUE: stage.taskQueue,
    FERMATA_TEST_EVENT: JSON.stringify(torn),
  });
  expect(await publisher.exited).toBeNull();
  expect(publisher.output()).toContain('dying');
  const expected = ids.map((id) => `${id}/${torn.id}`);
  const begun = await knownToTemporal(expected);
  expect([...begun.keys()]).toHaveLength(1);

  expect(runsOf(await stage.fermata.events.publish(torn))).toEqual(expected);
  for (const runId of expected) expect(await concludeRun(runId)).toBe('completed');
  for (const [runId, execution] of begun) expect((await knownToTemporal(expected)).get(runId)).toBe(execution);
  expect(await count({ eventId: torn.id })).toBe(2);
});
