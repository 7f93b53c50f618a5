/**
 * Keys from the moment at which a run has one: which of them workers look at, and how one passes to the next run.
 *
 * What it is not: what is true of a run. A key is freed by whoever has seen in Temporal that its run has ended.
 *
 * Invariants:
 * 1. `look_at` says when workers look at a holder: at once when it is to begin, to be cancelled or seems to have ended;
 *    after a while, again and again, while others wait for it; never while nothing is to be done.
 * 2. A claimed key is leased, so several workers share the work, and one that dies loses nothing.
 * 3. All tenants are looked at; the key says whose it is.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from './database.ts';
import { type KeyPlace, underKeyOf } from './key-lock.ts';
import type { RunKey } from './run-document.ts';
import { withdrawRuns } from './withdraw-runs.ts';

/** Channel of `listen()`: a key wants to be looked at. The payload is empty. */
export const KEYS_CHANNEL = 'fermata_keys';

export function fromNow(ms: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;
}

/** A key that is due, leased to the caller. */
export interface HeldKey extends RunKey {
  readonly taskQueue: string | null;
  /** Temporal has the run. */
  readonly begun: boolean;
  /** The run has told its end. */
  readonly ended: boolean;
  /** The waiting run for which it is to be cancelled; `null`: none, or that has been done. */
  readonly replacedBy: string | null;
  /** The lease, for {@link lookAgain}. */
  readonly leasedUntil: Date;
}

/** How often a holder is looked at while others wait for its key. */
const LOOK_EVERY_MS = 5_000;
const LEASE_MS = 15_000;

/** Keys that are due, leased to the caller. */
export async function claimKeys(
  db: Database,
  { limit = 100, leaseMs = LEASE_MS }: { readonly limit?: number; readonly leaseMs?: number } = {},
): Promise<readonly HeldKey[]> {
  const { rows } = await sql<HeldKey>`
    with due as (
      select tenant, run_id from fermata.run_keys where look_at <= clock_timestamp()
      order by look_at limit ${limit} for update skip locked
    )
    update fermata.run_keys as held set look_at = ${fromNow(leaseMs)}
    from due where held.tenant = due.tenant and held.run_id = due.run_id
    returning held.tenant, held.run_id as "runId", held.task_queue as "taskQueue", held.begun_at is not null as begun,
      held.look_at as "leasedUntil",
      exists (select from fermata.runs as run where run.tenant = held.tenant and run.run_id = held.run_id
        and run.completed_at is not null) as ended,
      case when held.cancelled_at is null then (${replacement('held')}) end as "replacedBy"`.execute(db);
  return rows;
}

/** Temporal has the run that holds its key. Whoever came meanwhile is told to workers. */
export async function markBegun(db: Database, run: RunKey): Promise<void> {
  await underKeyOf(db, run, async (trx) => {
    await sql`
      with begun as (
        update fermata.run_keys as held set begun_at = clock_timestamp(), look_at = case
          when exists (${replacement('held')}) then clock_timestamp()
          when exists (${waiting('held')}) then ${fromNow(LOOK_EVERY_MS)} end
        where ${isRun(run)} and holds and begun_at is null returning look_at
      )
      select pg_notify(${KEYS_CHANNEL}, '') from begun where look_at <= clock_timestamp()`.execute(trx);
  });
}

/** The holder was asked to cancel. */
export async function markCancelled(db: Database, run: RunKey): Promise<void> {
  await sql`update fermata.run_keys set cancelled_at = clock_timestamp() where ${isRun(run)} and holds`.execute(db);
}

/** Ends a lease. Without `afterMs` the holder is looked at again only while others wait for its key. */
export async function lookAgain(db: Database, { leasedUntil, ...run }: HeldKey, afterMs?: number): Promise<void> {
  await underKeyOf(db, run, async (trx) => {
    const next =
      afterMs === undefined
        ? sql`case when exists (${waiting('held')}) then ${fromNow(LOOK_EVERY_MS)} end`
        : fromNow(afterMs);
    await sql`
      update fermata.run_keys as held set look_at = ${next}
      where ${isRun(run)} and look_at = ${leasedUntil}`.execute(trx);
  });
}

/** Takes the key from a run that has ended, and gives it to the one that has waited longest; a worker begins that. */
export async function passKey(db: Database, run: RunKey): Promise<void> {
  await underKeyOf(db, run, (trx, place) => passKeyOf(trx, place, run));
}

/** The same in a transaction that has the key's lock. */
export async function passKeyOf(trx: DatabaseTransaction, place: KeyPlace, run: RunKey): Promise<void> {
  const { tenant, definitionId, key } = place;
  const freed = await sql`delete from fermata.run_keys where ${isRun(run)} and holds returning run_id`.execute(trx);
  if (freed.rows.length === 0) return;
  await sql`
    with next as (
      update fermata.run_keys set holds = true, look_at = clock_timestamp()
      where tenant = ${tenant} and run_id = (
        select run_id from fermata.run_keys where tenant = ${tenant} and definition_id = ${definitionId}
          and key = ${key} and not holds order by place limit 1)
      returning run_id
    )
    select pg_notify(${KEYS_CHANNEL}, '') from next`.execute(trx);
}

/** Takes a run out of the line of its key; `false`: it does not wait there. */
export async function withdrawRun(db: Database, run: RunKey, reason: string): Promise<boolean> {
  const withdrawn = await underKeyOf(db, run, async (trx) => {
    const { rows } = await sql`select from fermata.run_keys where ${isRun(run)} and not holds`.execute(trx);
    await withdrawRuns(trx, { tenant: run.tenant, runIds: [run.runId] }, reason);
    return rows.length > 0;
  });
  return withdrawn === true;
}

function isRun({ tenant, runId }: RunKey): RawBuilder<boolean> {
  return sql<boolean>`tenant = ${tenant} and run_id = ${runId}`;
}

/** The runs that wait for the key of the row `held`. */
function waiting(held: string): RawBuilder<unknown> {
  return sql`select next.run_id from fermata.run_keys as next
    where next.tenant = ${sql.ref(held)}.tenant and next.definition_id = ${sql.ref(held)}.definition_id
      and next.key = ${sql.ref(held)}.key and not next.holds`;
}

/** The one among them for which the holder is cancelled. */
function replacement(held: string): RawBuilder<unknown> {
  return sql`${waiting(held)} and next.on_conflict = 'replace' order by next.place desc limit 1`;
}
