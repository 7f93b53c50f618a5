/**
 * Keys passing from run to run: whoever has waited longest begins when Temporal says that the run before has ended.
 *
 * Invariants:
 * 1. A key is freed only for a run that Temporal has closed, or knows no more: what rows say comes a moment too early, or
 *    is lost with its worker.
 * 2. Safe to do twice, also at once: a start, a cancel and a key that is passed on each count once.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import { isFermataError } from '../definitions/fermata-error.ts';
import type { EventStart, HeldKey } from '../store/index.ts';
import { requestCancel } from './cancel-run.ts';
import type { ClientParts } from './client-parts.ts';
import { eachAtOnce } from './each-at-once.ts';
import { startRun } from './start-run.ts';
import { isTemporalUnavailable } from './temporal-error.ts';
import { statusOf } from './workflow-status.ts';

/** Keys that are looked at in one go. */
const LOOKS = 100;
/** A run tells its end a moment before Temporal has closed it. */
const CLOSING_LOOKS = 10;
const CLOSING_PAUSE_MS = 50;
/** When a key is looked at again whose run tells its end and is open, or that could not be looked at. */
const SOON_MS = 1_000;

/**
 * Begins runs that have their key, cancels those that are replaced, and passes on the keys of those that have ended, of
 * all tenants. Gives how many it looked at. For the background of a worker.
 */
export async function sweepKeys(parts: ClientParts): Promise<number> {
  for (let looked = 0; ; looked += LOOKS) {
    const keys = await parts.store.claimKeys({ limit: LOOKS });
    await lookAtAll(parts, keys);
    if (keys.length < LOOKS) return looked + keys.length;
  }
}

/** @throws where all of them fail, as when Temporal is away */
async function lookAtAll(parts: ClientParts, keys: readonly HeldKey[]): Promise<void> {
  const failures: unknown[] = [];
  await eachAtOnce(keys, async (key) => {
    try {
      await lookAt(parts, key);
    } catch (error) {
      failures.push(error);
      await parts.store.lookAgain(key, SOON_MS).catch(() => undefined);
    }
  });
  if (failures.length > 0 && failures.length === keys.length) throw failures[0];
}

async function lookAt(parts: ClientParts, key: HeldKey): Promise<void> {
  const { store } = parts;
  const { runs } = store.forTenant(key.tenant);
  if (!key.begun && !(await begin(parts, key))) return await runs.passKey(key.runId);
  if (!key.begun && !key.ended) return;
  if (key.replacedBy !== null) {
    await cancelFor(parts, key.runId, key.replacedBy);
    await runs.markCancelled(key.runId);
  }
  if (await hasClosed(parts, key)) return await runs.passKey(key.runId);
  await store.lookAgain(key, key.ended ? SOON_MS : undefined);
}

/** `false`: there is no such run, since its start was taken back. */
async function begin(parts: ClientParts, { tenant, runId, taskQueue }: HeldKey): Promise<boolean> {
  const { runs, definitions, events } = parts.store.forTenant(tenant);
  const run = await runs.get(runId).catch((error: unknown) => {
    if (isFermataError(error) && error.code === 'run.not_found') return null;
    throw error;
  });
  if (run === null || run.version === null || run.initiator === null) return false;
  const { definitionId, input, initiator, entity, eventId } = run;
  const [version, event] = await Promise.all([
    definitions.get(definitionId, run.version),
    eventId === null ? null : events.get(eventId),
  ]);
  await startRun(parts, {
    runId,
    tenant,
    taskQueue: taskQueue ?? parts.settings.taskQueue,
    version,
    input,
    event: event?.event ?? null,
    initiator,
    entity,
    keyed: true,
  });
  return true;
}

async function cancelFor(parts: ClientParts, runId: string, replacement: string): Promise<void> {
  try {
    await requestCancel(parts, runId, { reason: `replaced by ${replacement}` });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function hasClosed(parts: ClientParts, { runId, ended }: HeldKey): Promise<boolean> {
  for (let looks = 1; ; looks++) {
    if ((await statusOf(parts, runId)) !== 'open') return true;
    if (!ended || looks === CLOSING_LOOKS) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, CLOSING_PAUSE_MS);
    });
  }
}

/**
 * Frees the key of a run that has ended, where no worker has come to it yet, so that whoever has seen the end of a run
 * can start the next one at once. Says whether it did; a Temporal that cannot be asked frees nothing.
 */
export async function freeIfClosed(parts: ClientParts, runId: string): Promise<boolean> {
  const status = await statusOf(parts, runId).catch((error: unknown) => {
    if (isTemporalUnavailable(error)) return 'open';
    throw error;
  });
  if (status !== 'closed') return false;
  await parts.store.runs.passKey(runId);
  return true;
}

/** The same for the keys of starts that give way to the run that has their key. */
export async function freeKeysOf(parts: ClientParts, starts: readonly EventStart[]): Promise<void> {
  await eachAtOnce(starts, async ({ definitionId, key }) => {
    if (!key || (key.onConflict !== 'reject' && key.onConflict !== 'join')) return;
    const holder = await parts.store.runs.holderOf(definitionId, key);
    if (holder !== null) await freeIfClosed(parts, holder);
  });
}
