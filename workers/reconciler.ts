/**
 * The reconciler: makes the rows of runs exact where records were lost, from the truth in Temporal.
 *
 * Invariants:
 * 1. It only reads from Temporal, and writes rows only from a history that replays.
 * 2. A run that Temporal knows no more, or whose first histories it has deleted, keeps the rows that it has.
 */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import type { IncompleteRun, ReconcileOptions, Store } from '../store/index.ts';
import { abruptEnd, hasEnded } from './abrupt-end.ts';
import type { WorkerLog } from './log.ts';
import { rebuildRecords } from './rebuild-records.ts';
import { openReplayer, type Replayer } from './replayer.ts';
import { fetchRunHistories, type History } from './run-history.ts';

export interface ReconcilerParts {
  readonly store: Store;
  readonly client: Client;
  /** The code of the workflow bundle. */
  readonly bundleCode: string;
  readonly log: WorkerLog;
}

/** Looks at the runs whose rows may be incomplete. Gives how many it looked at. */
export async function reconcile(parts: ReconcilerParts, options?: ReconcileOptions): Promise<number> {
  const runs = await parts.store.claimIncompleteRuns(options);
  const replayer = openReplayer(parts.bundleCode);
  try {
    for (const run of runs) await reconcileRun(parts, replayer, run);
  } finally {
    await replayer.close();
  }
  return runs.length;
}

async function reconcileRun(parts: ReconcilerParts, replayer: Replayer, run: IncompleteRun): Promise<void> {
  try {
    await mendRun(parts, replayer, run);
  } catch (error) {
    parts.log.warn('the records of a run could not be checked', { runId: run.runId, error: String(error) });
  }
}

async function mendRun({ store, client }: ReconcilerParts, replayer: Replayer, run: IncompleteRun): Promise<void> {
  const description = await describe(client, run.runId);
  const histories = description && (await historiesOf(client, description));
  const rebuilt = histories && (await rebuildRecords(replayer, { workflowId: run.runId, histories }));
  if (rebuilt === null) return store.markChecked(run);
  const { batch, attempts } = rebuilt;
  const end = description && abruptEnd(description, batch.records);
  if (end !== null) return store.records.replace({ ...batch, records: [...batch.records, end] }, attempts);
  if (hasEnded(batch.records)) return store.records.replace(batch, attempts);
  // An open run goes on meanwhile: what stands there stays, what is missing is added.
  await store.records.write([batch]);
  await store.records.writeAttempts(attempts);
  await store.markChecked(run);
}

/** `null` where Temporal knows the run no more, or not yet. */
async function describe(client: Client, workflowId: string): Promise<WorkflowExecutionDescription | null> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** All histories of the run, or `null` where Temporal has deleted the first. */
async function historiesOf(
  client: Client,
  { workflowId, raw }: WorkflowExecutionDescription,
): Promise<History[] | null> {
  const first = raw.workflowExecutionInfo?.firstRunId ?? raw.workflowExecutionInfo?.execution?.runId;
  return first ? await fetchRunHistories(client, workflowId, first) : null;
}
