/**
 * The projection of records into rows, for all tenants: workers hand records over, the reconciler rebuilds a run's.
 *
 * What it is not: a source of truth. Temporal's history is; rows that are lost are made again from it.
 */
import { sql } from 'kysely';
import { COMMIT_MODE } from '../commit-mode.ts';
import type { Database } from '../database.ts';
import { repeatLostRace } from '../repeat-lost-race.ts';
import type { AttemptRecord, RecordBatch } from './batch.ts';
import { toRows } from './rows.ts';
import { writeRows } from './write-records.ts';

export class RecordStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Writes records of many runs in one statement. Any order and any repetition gives the same rows. */
  async write(batches: readonly RecordBatch[]): Promise<void> {
    const rows = toRows(batches);
    await repeatLostRace(() => writeRows(this.#db, rows));
  }

  /** Writes how often handlers were called; the highest attempt of a command counts, in whatever order they come. */
  async writeAttempts(attempts: readonly AttemptRecord[]): Promise<void> {
    await repeatLostRace(() => writeAttempts(this.#db, attempts));
  }

  /**
   * Makes the rows of a run exactly these, in one transaction, and marks a closed run as whole.
   * For the reconciler, which has them from the run's history.
   */
  async replace(run: RecordBatch, attempts: readonly AttemptRecord[]): Promise<void> {
    const rows = toRows([run]);
    await repeatLostRace(() =>
      this.#db.transaction().execute(async (trx) => {
        const key = sql`tenant = ${run.tenant} and run_id = ${run.runId}`;
        // Locks the row of the run first, as every writer does.
        await sql`update fermata.runs set state_at = to_timestamp(0), expected_visits = null where ${key}`.execute(trx);
        for (const table of ['visits', 'commands', 'attempts', 'waits', 'decisions', 'emitted']) {
          await sql`delete from ${sql.table(`fermata.${table}`)} where ${key}`.execute(trx);
        }
        await writeRows(trx, rows);
        await writeAttempts(trx, attempts);
        await sql`update fermata.runs set checked_at = clock_timestamp(),
          whole_at = case when completed_at is not null then clock_timestamp() end where ${key}`.execute(trx);
      }),
    );
  }
}

async function writeAttempts(db: Database, attempts: readonly AttemptRecord[]): Promise<void> {
  if (attempts.length === 0) return;
  const highest = new Map<string, AttemptRecord>();
  for (const attempt of attempts) {
    const key = JSON.stringify([attempt.tenant, attempt.runId, attempt.commandId]);
    const known = highest.get(key);
    if (known === undefined || known.attempt < attempt.attempt) highest.set(key, attempt);
  }
  const rows = [...highest]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { tenant, runId, commandId, attempt, at }]) => ({
      tenant,
      run_id: runId,
      command_id: commandId,
      attempts: attempt,
      executed_at: new Date(at).toISOString(),
    }));
  await sql`
    with ${COMMIT_MODE}
    insert into fermata.attempts as known (tenant, run_id, command_id, attempts, executed_at)
    select tenant, run_id, command_id, attempts, executed_at
    from commit_mode, json_to_recordset(${JSON.stringify(rows)}::json) as row(tenant text, run_id text, command_id text,
      attempts integer, executed_at timestamptz)
    on conflict (tenant, run_id, command_id) do update
      set attempts = excluded.attempts, executed_at = excluded.executed_at
    where excluded.attempts > known.attempts`.execute(db);
}
