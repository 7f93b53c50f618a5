/**
 * Runs of one tenant, as their rows tell them.
 *
 * What it is not: a way to start, stop or ask a run; that is Temporal's, through the client.
 */
import type { RunDocument } from '../definitions/records.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import type { KeyClaim } from '../definitions/key-claim.ts';
import type { Json } from '../definitions/types.ts';
import type { Database } from './database.ts';
import { admit, type Admission, holderOf } from './admit-run.ts';
import { keyText, underKeyOf } from './key-lock.ts';
import type { NewRun } from './new-run.ts';
import type { Page } from './page.ts';
import { loadRunDocument } from './run-document.ts';
import { markBegun, markCancelled, passKey, passKeyOf, withdrawRun } from './run-keys.ts';
import { listRuns, RUN_SUMMARY, type RunFilter, type RunSummary, toRunSummary } from './run-list.ts';
import { waitsFor } from './key-turn.ts';

/** A run with what it began with. */
export interface StoredRun extends RunSummary {
  readonly hash: string | null;
  readonly input: Json;
  readonly temporalRunId: string | null;
  /** As pages show it; `null`: it needs none. */
  readonly key: string | null;
}

/** What became of a run that wants to begin, and the run that is there now. */
export interface Registration {
  readonly status: Admission['status'];
  readonly run: StoredRun;
}

export class RunStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /**
   * Adds a run that is about to be started, in the state `pending`, or says why it is not to be started now. A run id is
   * given once, for ever: of many calls at once one begins it, and the others get the run as it was begun. `run` is the
   * one that is there: for `joined` and `rejected` the one that has the key.
   */
  async register(run: NewRun): Promise<Registration> {
    const admission = await admit(this.#db, this.#tenant, run);
    return {
      status: admission.status,
      run: await this.get('holder' in admission ? admission.holder : run.runId),
    };
  }

  /** Takes a registration back whose start was refused, and its key. A run that began stays. */
  async unregister(runId: string): Promise<void> {
    const remove = (db: Database) =>
      db
        .deleteFrom('fermata.runs')
        .where('tenant', '=', this.#tenant)
        .where('run_id', '=', runId)
        .where('state', '=', 'pending')
        .executeTakeFirst();
    const key = { tenant: this.#tenant, runId };
    const keyed = await underKeyOf(this.#db, key, async (trx, place) => {
      if ((await remove(trx)).numDeletedRows > 0n) await passKeyOf(trx, place, key);
      return true;
    });
    if (keyed === null) await remove(this.#db);
  }

  /** The run that has a key, or `null`. */
  async holderOf(definitionId: string, key: KeyClaim): Promise<string | null> {
    return await holderOf(this.#db, { tenant: this.#tenant, definitionId, key: keyText(key) });
  }

  /** Says that Temporal has a run that has its key. */
  async markBegun(runId: string): Promise<void> {
    await markBegun(this.#db, { tenant: this.#tenant, runId });
  }

  /** Says that a run was asked to cancel, for the one that replaces it. */
  async markCancelled(runId: string): Promise<void> {
    await markCancelled(this.#db, { tenant: this.#tenant, runId });
  }

  /** Takes the key from a run that has ended in Temporal, for the one that has waited longest. */
  async passKey(runId: string): Promise<void> {
    await passKey(this.#db, { tenant: this.#tenant, runId });
  }

  /** Cancels a run that waits for its key; `false`: it does not. */
  async withdraw(runId: string, reason: string): Promise<boolean> {
    return await withdrawRun(this.#db, { tenant: this.#tenant, runId }, reason);
  }

  /** @throws run.not_found */
  async get(runId: string): Promise<StoredRun> {
    const row = await this.#db
      .selectFrom('fermata.runs')
      .select([...RUN_SUMMARY, waitsFor, 'hash', 'input', 'temporal_run_id', 'key'])
      .where('tenant', '=', this.#tenant)
      .where('run_id', '=', runId)
      .executeTakeFirst();
    if (row === undefined) throw runNotFound(this.#tenant, runId);
    const { hash, input, key, temporal_run_id: temporalRunId } = row;
    return { ...toRunSummary(row), hash, input, temporalRunId, key };
  }

  /** The run as `fermata runs show --json` prints it, or `null` where nothing is known of it. */
  async document(runId: string): Promise<RunDocument | null> {
    return await loadRunDocument(this.#db, { tenant: this.#tenant, runId });
  }

  /** Newest first. @throws usage.invalid for a cursor that no list gave */
  async list(filter: RunFilter = {}): Promise<Page<RunSummary>> {
    return await listRuns(this.#db, this.#tenant, filter);
  }
}

function runNotFound(tenant: string, runId: string): FermataError {
  const message = `no run "${runId}" is known for the tenant "${tenant}"; \`fermata runs list\` shows those that are`;
  return new FermataError('run.not_found', message, { runId, tenant });
}
