/**
 * Whether a run may begin: the one way in for runs started by hand, by events and by other runs.
 *
 * What it is not: the start in Temporal. Whoever is told `begin` makes it; where that process dies, workers do
 * (`run-keys.ts`).
 *
 * Invariants:
 * 1. A run id is given once, for ever.
 * 2. Of the runs with one key one holds it; the others wait for it in the order in which they came, or are not there.
 * 3. A run that replaces others cancels those that wait at once, and leaves the one that holds the key to the workers.
 */
import { sql } from 'kysely';
import { FermataError } from '../definitions/fermata-error.ts';
import type { KeyClaim } from '../definitions/key-claim.ts';
import type { Database, DatabaseTransaction } from './database.ts';
import { type KeyPlace, keyText, lockKey } from './key-lock.ts';
import { insertRun, type NewRun } from './new-run.ts';
import { repeatLostRace } from './repeat-lost-race.ts';
import { fromNow, KEYS_CHANNEL } from './run-keys.ts';
import { withdrawRuns } from './withdraw-runs.ts';

export type Admission =
  /** `begin`: it is to be started now. `queued`: its turn comes. `known`: there is a run with this id already. */
  | { readonly status: 'begin' | 'queued' | 'known' }
  /** There is no new run: `holder` has the key, or is the next to have it. */
  | { readonly status: 'joined' | 'rejected'; readonly holder: string };

/** A run that needs a key. */
export type KeyedRun = NewRun & { readonly key: KeyClaim };

/** How long a run that has its key is left to whoever began it. */
const START_LEASE_MS = 30_000;

/** In a transaction of its own, where the run needs one. */
export async function admit(db: Database, tenant: string, run: NewRun): Promise<Admission> {
  if (!needsKey(run)) return { status: (await insertRun(db, tenant, run)) ? 'begin' : 'known' };
  return await repeatLostRace(() => db.transaction().execute((trx) => admitKeyed(trx, tenant, run)));
}

/** A part of the caller's transaction, which holds the key's lock from here on. */
export async function admitKeyed(trx: DatabaseTransaction, tenant: string, run: KeyedRun): Promise<Admission> {
  const place = { tenant, definitionId: run.definitionId, key: keyText(run.key) };
  await lockKey(trx, place);
  if (await isKnown(trx, tenant, run.runId)) return { status: 'known' };
  const holder = await holderOf(trx, place);
  const { onConflict } = run.key;
  if (holder !== null && onConflict === 'reject') return { status: 'rejected', holder };
  if (holder !== null && onConflict === 'join') {
    return { status: 'joined', holder: (await replacementIn(trx, place)) ?? holder };
  }
  if (!(await insertRun(trx, tenant, run))) return { status: 'known' };
  if (holder !== null && onConflict === 'replace') await withdrawWaiting(trx, place, run.runId);
  await insertKey(trx, place, { run, holds: holder === null });
  if (holder === null) return { status: 'begin' };
  await callWorkers(trx, { tenant, holder });
  return { status: 'queued' };
}

export function needsKey<Run extends Pick<NewRun, 'key'>>(run: Run): run is Run & { readonly key: KeyClaim } {
  return run.key !== undefined && run.key !== null;
}

/** Why a start is refused whose key another run has. */
export function keyTaken({ runId, definitionId, key }: NewRun, holder: string): FermataError {
  const text = key ? keyText(key) : null;
  const message = `the run "${runId}" does not start: "${holder}" has the key ${text} of "${definitionId}", which lets one run at a time be open for it`;
  return new FermataError('run.key_taken', message, { runId, definitionId, key: text, holder });
}

async function isKnown(trx: DatabaseTransaction, tenant: string, runId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('fermata.runs')
    .select('run_id')
    .where('tenant', '=', tenant)
    .where('run_id', '=', runId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The run that has the key, or `null`. */
export async function holderOf(db: Database, place: KeyPlace): Promise<string | null> {
  const row = await lineOf(db, place).where('holds', '=', true).executeTakeFirst();
  return row?.run_id ?? null;
}

/** The waiting run that has the holder cancelled, if there is one. */
async function replacementIn(trx: DatabaseTransaction, place: KeyPlace): Promise<string | null> {
  const row = await lineOf(trx, place)
    .where('holds', '=', false)
    .where('on_conflict', '=', 'replace')
    .executeTakeFirst();
  return row?.run_id ?? null;
}

function lineOf(db: Database, { tenant, definitionId, key }: KeyPlace) {
  return db
    .selectFrom('fermata.run_keys')
    .select('run_id')
    .where('tenant', '=', tenant)
    .where('definition_id', '=', definitionId)
    .where('key', '=', key);
}

async function withdrawWaiting(trx: DatabaseTransaction, place: KeyPlace, runId: string): Promise<void> {
  const waiting = await lineOf(trx, place).where('holds', '=', false).execute();
  const runIds = waiting.map((row) => row.run_id);
  await withdrawRuns(trx, { tenant: place.tenant, runIds }, `replaced by ${runId}`);
}

async function insertKey(
  trx: DatabaseTransaction,
  place: KeyPlace,
  { run, holds }: { readonly run: KeyedRun; readonly holds: boolean },
): Promise<void> {
  await sql`
    insert into fermata.run_keys (tenant, run_id, definition_id, key, on_conflict, task_queue, holds, look_at)
    values (${place.tenant}, ${run.runId}, ${place.definitionId}, ${place.key}, ${run.key.onConflict},
      ${run.taskQueue ?? null}, ${holds}, case when ${holds} then ${fromNow(START_LEASE_MS)} end)`.execute(trx);
}

/** Workers look whether the holder has ended, or has to be cancelled. One that is about to begin is looked at then. */
async function callWorkers(
  trx: DatabaseTransaction,
  { tenant, holder }: { readonly tenant: string; readonly holder: string },
): Promise<void> {
  await sql`
    with called as (
      update fermata.run_keys as holder set look_at = clock_timestamp()
      where tenant = ${tenant} and run_id = ${holder} and begun_at is not null and (look_at is null or exists (
        select from fermata.run_keys as next where next.tenant = holder.tenant
          and next.definition_id = holder.definition_id and next.key = holder.key
          and not next.holds and next.on_conflict = 'replace' and holder.cancelled_at is null))
      returning run_id
    )
    select pg_notify(${KEYS_CHANNEL}, '') from called`.execute(trx);
}
