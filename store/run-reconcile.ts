/**
 * Finds runs whose rows may not tell the whole story, for the reconciler, which knows the truth from Temporal.
 *
 * Invariants:
 * 1. A closed run is whole when it has what it began with, as many visits and commands as its closing record says, all
 *    of them ended, and every command that succeeded has its attempts. It is then never looked at again.
 * 2. An open run is due once no record came for a while, then again each time as long has passed as since its last
 *    record, at most an hour: its closing record may be the one that was lost. A new record begins this afresh.
 * 3. A claimed run is leased, so several reconcilers share the work, and one that dies loses nothing.
 * 4. All tenants are looked at; the run says whose it is.
 */
import { sql } from 'kysely';
import type { RunState } from '../definitions/types.ts';
import type { Database } from './database.ts';
import type { RunKey } from './run-document.ts';

export interface ReconcileOptions {
  /** An open run is due when it had no record for so long. Default 60,000. */
  readonly quietMs?: number;
  /** A closed run is left alone for so long, since records of it may be on their way. Default 5,000. */
  readonly graceMs?: number;
  /** Default 60,000. */
  readonly leaseMs?: number;
  /** Default 100. */
  readonly limit?: number;
}

export interface IncompleteRun extends RunKey {
  readonly definitionId: string;
  readonly version: number | null;
  /** As the rows say. */
  readonly state: RunState;
  /** Whether the rows say that it has ended. */
  readonly closed: boolean;
  readonly temporalRunId: string | null;
}

/** Milliseconds after which an open run is looked at again at the latest. */
const LONGEST_PAUSE_MS = 3_600_000;

const IS_WHOLE = sql`run.completed_at is not null
  and run.started_at is not null
  and run.expected_visits = (
    select count(*) from fermata.visits as visit
    where visit.tenant = run.tenant and visit.run_id = run.run_id and visit.outcome is not null)
  and run.expected_commands = (
    select count(*) from fermata.commands as command
    where command.tenant = run.tenant and command.run_id = run.run_id and command.state_rank >= 2
      and (command.state <> 'success' or exists (
        select from fermata.attempts as attempt where attempt.tenant = command.tenant
          and attempt.run_id = command.run_id and attempt.command_id = command.command_id)))`;

/** Runs that are not whole or, being open, are due; leased to the caller. Closed ones that are whole are marked so. */
export async function claimIncompleteRuns(
  db: Database,
  options: ReconcileOptions = {},
): Promise<readonly IncompleteRun[]> {
  const limit = options.limit ?? 100;
  const found: IncompleteRun[] = [];
  for (;;) {
    const wanted = limit - found.length;
    const claimed = await claimDue(db, { ...options, limit: wanted });
    for (const { whole, ...run } of claimed) if (!whole) found.push(run);
    if (claimed.length < wanted || found.length >= limit) return found;
  }
}

async function claimDue(
  db: Database,
  options: ReconcileOptions,
): Promise<readonly (IncompleteRun & { readonly whole: boolean })[]> {
  const { quietMs = 60_000, graceMs = 5_000, leaseMs = 60_000, limit = 100 } = options;
  const { rows } = await sql<IncompleteRun & { whole: boolean }>`
    with due as (
      select tenant, run_id from fermata.runs
      where whole_at is null and clock_timestamp() >= case
        when checked_at > recorded_at then check_after
        when completed_at is not null then recorded_at + ${graceMs} * interval '1 millisecond'
        else recorded_at + ${quietMs} * interval '1 millisecond'
      end
      order by created_at limit ${limit}
      for update skip locked
    )
    update fermata.runs as run set
      checked_at = clock_timestamp(),
      check_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      whole_at = case when ${IS_WHOLE} then clock_timestamp() end
    from due where run.tenant = due.tenant and run.run_id = due.run_id
    returning run.tenant, run.run_id as "runId", run.definition_id as "definitionId", run.version, run.state,
      run.completed_at is not null as closed, run.temporal_run_id as "temporalRunId",
      run.whole_at is not null as whole`.execute(db);
  return rows;
}

/** Says that an open run was looked at and its rows are right so far. */
export async function markChecked(db: Database, key: RunKey): Promise<void> {
  await sql`
    update fermata.runs set checked_at = clock_timestamp(), check_after = clock_timestamp()
      + least(clock_timestamp() - recorded_at, ${LONGEST_PAUSE_MS} * interval '1 millisecond')
    where tenant = ${key.tenant} and run_id = ${key.runId} and checked_at >= recorded_at`.execute(db);
}
