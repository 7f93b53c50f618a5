/**
 * What every case on a server ends with.
 *
 * 1. The run is closed, or waits exactly where the case says.
 * 2. Each of its histories replays on a fresh worker; no more workflow tasks have failed than the case allows.
 * 3. The rows in PostgreSQL tell the story that the histories tell.
 */
import type { Client } from '@temporalio/client';
import { expect, vi } from 'vitest';
import type { RunDocument, RunRecord } from '../../definitions/records.ts';
import { runDocument } from '../../definitions/run-document.ts';
import { REGISTER_WAIT } from '../../definitions/wire.ts';
import type { Store } from '../../store/index.ts';
import { rebuildRecords } from '../../workers/rebuild-records.ts';
import type { Replayer } from '../../workers/replayer.ts';
import { fetchRunHistories, type History } from '../../workers/run-history.ts';
import type { PlayedRun } from '../integration/play.ts';

export interface ConclusionOptions {
  /** Node at which the run is to wait; default: it is to be closed. */
  readonly waitingAt?: string;
  /** Default 0. */
  readonly failedTasks?: number;
  /** How often the histories are replayed. Default 1. */
  readonly replays?: number;
  /**
   * Messages come while the run goes over into a fresh history. The server hands such a task out again, and what the run
   * told in the attempt that was thrown away stays in the audit: there the rows may say more than the histories.
   */
  readonly overtaken?: boolean;
  /** How long the rows may take to tell the story. Default 10 s; a killed worker's are mended by the reconciler. */
  readonly withinMs?: number;
}

export interface Conclusion {
  readonly document: RunDocument;
  readonly histories: readonly History[];
  readonly records: readonly RunRecord[];
}

export interface Witnesses {
  readonly client: Client;
  readonly store: Store;
  readonly replayer: Replayer;
}

type HistoryEvent = NonNullable<History['events']>[number];

export async function conclude(
  { client, store, replayer }: Witnesses,
  { workflowId, firstExecutionRunId }: PlayedRun,
  { waitingAt, failedTasks = 0, replays = 1, overtaken = false, withinMs = 10_000 }: ConclusionOptions,
): Promise<Conclusion> {
  if (waitingAt === undefined) await closed(client, workflowId);
  else await waiting(store, workflowId, waitingAt);
  const histories = await fetchRunHistories(client, workflowId, firstExecutionRunId);
  const failures = failuresOf(histories);
  expect(failures.slice(failedTasks)).toEqual([]);
  const told: Conclusion[] = [];
  for (let replay = 0; replay < replays; replay++) {
    told.push(await replayed(replayer, workflowId, histories));
  }
  const [first] = told as [Conclusion];
  for (const other of told) expect(other.document).toEqual(first.document);
  const sameStory = async (): Promise<void> => {
    const rows = await toldByRows(store, workflowId);
    if (!overtaken) return expect(rows).toEqual(first.document);
    expect({ ...rows, audit: [] }).toEqual({ ...first.document, audit: [] });
    expect(rows?.audit).toEqual(expect.arrayContaining([...(first.document.audit ?? [])]));
  };
  await vi.waitFor(sameStory, { timeout: withinMs });
  return first;
}

/** A run does not know its key, nor how runs are that it began: that is the store's own. */
async function toldByRows(store: Store, workflowId: string): Promise<RunDocument | null> {
  const document = await store.runs.document(workflowId);
  if (document === null) return null;
  const { key: _key, ...told } = document;
  const children = told.children?.map((child) => ({ ...child, state: null }));
  return children === undefined ? told : { ...told, children };
}

/** A rollover that a signal overtook is no failure: the server hands the task out again, so that no signal is lost. */
const UNHANDLED_COMMAND = 1;

/** Why workflow tasks failed, in words. */
function failuresOf(histories: readonly History[]): string[] {
  return eventsWith(histories, 'workflowTaskFailedEventAttributes').flatMap((event) => {
    const { cause, failure } = event.workflowTaskFailedEventAttributes ?? {};
    return cause === UNHANDLED_COMMAND ? [] : [`cause ${cause}: ${failure?.message}`];
  });
}

/** Events of a kind, over all histories. */
export function eventsWith(histories: readonly History[], attributes: keyof HistoryEvent): HistoryEvent[] {
  return histories.flatMap(({ events }) => (events ?? []).filter((event) => event[attributes]));
}

/** How often the run registered a wait for an event. */
export function registrations(histories: readonly History[]): number {
  const scheduled = eventsWith(histories, 'activityTaskScheduledEventAttributes');
  return scheduled.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === REGISTER_WAIT)
    .length;
}

async function replayed(replayer: Replayer, workflowId: string, histories: readonly History[]): Promise<Conclusion> {
  const rebuilt = await rebuildRecords(replayer, { workflowId, histories });
  if (rebuilt === null) throw new Error(`the histories of ${workflowId} tell nothing`);
  const { batch, attempts } = rebuilt;
  const header = {
    runId: workflowId,
    definitionId: batch.definitionId,
    version: batch.version,
    startedAt: batch.start?.startedAt ?? 0,
    vars: batch.vars ?? {},
    initiator: batch.start?.initiator ?? null,
    attempts: new Map(attempts.map(({ commandId, attempt }) => [commandId, attempt])),
  };
  return { document: runDocument(header, batch.records), histories, records: batch.records };
}

async function closed(client: Client, workflowId: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await handle.result().catch(() => undefined);
  const { status } = await handle.describe();
  expect(status.name).not.toBe('RUNNING');
  expect(status.name).not.toBe('TERMINATED');
}

/** The run's rows say that it waits there. */
export async function waiting(store: Store, runId: string, nodeId: string): Promise<RunDocument> {
  return vi.waitFor(
    async () => {
      const document = await store.runs.document(runId);
      expect(document?.waiting.map((wait) => wait.nodeId)).toEqual([nodeId]);
      return document as RunDocument;
    },
    { timeout: 20_000, interval: 50 },
  );
}
