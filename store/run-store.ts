/**
 * Runs of one tenant, as their rows tell them.
 *
 * What it is not: a way to start, stop or ask a run; that is Temporal's, through the client.
 */
import type { RunDocument } from '../definitions/records.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import type { Json } from '../definitions/types.ts';
import type { Database } from './database.ts';
import { insertRun, type NewRun } from './new-run.ts';
import type { Page } from './page.ts';
import { loadRunDocument } from './run-document.ts';
import { listRuns, RUN_SUMMARY, type RunFilter, type RunSummary, toRunSummary } from './run-list.ts';

/** A run with what it began with. */
export interface StoredRun extends RunSummary {
  readonly hash: string | null;
  readonly input: Json;
  readonly temporalRunId: string | null;
}

export class RunStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /**
   * Adds a run that is about to be started, in the state `pending`. A run id is given once, for ever: of many calls at
   * once one creates, and the others get the run as it was begun.
   */
  async register(run: NewRun): Promise<{ readonly created: boolean; readonly run: StoredRun }> {
    const created = await insertRun(this.#db, this.#tenant, run);
    return { created, run: await this.get(run.runId) };
  }

  /** Takes a registration back whose start was refused. A run that began stays. */
  async unregister(runId: string): Promise<void> {
    await this.#db
      .deleteFrom('fermata.runs')
      .where('tenant', '=', this.#tenant)
      .where('run_id', '=', runId)
      .where('state', '=', 'pending')
      .execute();
  }

  /** @throws run.not_found */
  async get(runId: string): Promise<StoredRun> {
    const row = await this.#db
      .selectFrom('fermata.runs')
      .select([...RUN_SUMMARY, 'hash', 'input', 'temporal_run_id'])
      .where('tenant', '=', this.#tenant)
      .where('run_id', '=', runId)
      .executeTakeFirst();
    if (row === undefined) throw runNotFound(this.#tenant, runId);
    return { ...toRunSummary(row), hash: row.hash, input: row.input, temporalRunId: row.temporal_run_id };
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
