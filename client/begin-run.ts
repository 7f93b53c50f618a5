/**
 * Beginning a run by hand: through the door of the store, where its key is asked for, and then in Temporal.
 *
 * Invariants:
 * 1. A start that was refused leaves nothing; one that may have begun keeps its row.
 * 2. Equal starts with one id, at once or later, are all answered with the run that is there.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { canonicalJson } from '../definitions/json/canonical.ts';
import { keyTaken, type NewRun, type Registration, type StoredRun, type StoredVersion } from '../store/index.ts';
import type { ClientParts } from './client-parts.ts';
import { freeIfClosed } from './keyed-runs.ts';
import { startRun } from './start-run.ts';

/** `queued`: it waits for its key. `joined`: another run has the key, and this is that run. */
export type StartStatus = 'started' | 'queued' | 'joined';

export interface BegunRun {
  readonly status: StartStatus;
  readonly run: StoredRun;
}

export interface WantedRun {
  readonly run: NewRun;
  readonly version: StoredVersion;
  /** Whether it is to be of this version and no other. */
  readonly versionGiven: boolean;
}

/** @throws FermataError `run.already_exists`, `run.key_taken`, `temporal.unavailable`, `temporal.rejected` */
export async function beginRun(parts: ClientParts, wanted: WantedRun): Promise<BegunRun> {
  const { status, run } = await register(parts, wanted.run);
  switch (status) {
    case 'begin':
      await start(parts, run, wanted.version);
      return { status: 'started', run };
    case 'queued':
    case 'joined':
      return { status, run };
    case 'rejected':
      throw keyTaken(wanted.run, run.runId);
    case 'known':
      return await beginAgain(parts, run, wanted);
  }
}

/** A key that another run has is asked for once more, if that has ended and nobody has noticed yet. */
export async function register(parts: ClientParts, run: NewRun): Promise<Registration> {
  const { runs } = parts.store;
  const first = await runs.register(run);
  if (first.status !== 'rejected' && first.status !== 'joined') return first;
  return (await freeIfClosed(parts, first.run.runId)) ? await runs.register(run) : first;
}

/** The first caller is just about to begin it, or died before: whoever comes second finds it begun, or begins it. */
async function beginAgain(parts: ClientParts, run: StoredRun, wanted: WantedRun): Promise<BegunRun> {
  if (!isSameStart(run, wanted)) throw alreadyExists(run.runId);
  if (run.waitsFor !== null) return { status: 'queued', run };
  if (run.state === 'pending') {
    const { definitions } = parts.store;
    await start(parts, run, await definitions.get(run.definitionId, run.version ?? wanted.version.version));
  }
  return { status: 'started', run };
}

async function start(parts: ClientParts, run: StoredRun, version: StoredVersion): Promise<void> {
  const { runId, input, entity, key } = run;
  const { tenant, taskQueue } = parts.settings;
  const initiator = run.initiator ?? { id: 'client', kind: 'user' };
  try {
    const keyed = key !== null;
    await startRun(parts, { runId, tenant, taskQueue, version, input, event: null, initiator, entity, keyed });
  } catch (error) {
    if (error instanceof FermataError && !error.retryable) await parts.store.runs.unregister(runId);
    throw error;
  }
}

/** Whether the id was given before for the same: another version counts only where one was asked for. */
function isSameStart(found: StoredRun, { run, version, versionGiven }: WantedRun): boolean {
  if (found.eventId !== null || found.definitionId !== run.definitionId) return false;
  if (versionGiven && version.version !== found.version) return false;
  return canonicalJson(found.input) === canonicalJson(run.input);
}

function alreadyExists(runId: string): FermataError {
  const message = `a run with the id "${runId}" exists already and began with something else; give another id, or look at it with \`fermata runs show ${runId}\``;
  return new FermataError('run.already_exists', message, { runId });
}
