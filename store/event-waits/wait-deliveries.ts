/**
 * Deliveries to waits: one row per event and wait that it is for, until the run has been told.
 *
 * Invariants:
 * 1. A delivery is settled once. Telling a run twice is harmless, since it takes an event once.
 * 2. A run that is not there to be told has no open wait: its waits are closed with it.
 */
import { sql } from 'kysely';
import { COMMIT_MODE } from '../commit-mode.ts';
import type { Database } from '../database.ts';
import type { WaitDeliveriesTable } from '../tables.ts';

export interface WaitDelivery {
  readonly waitId: string;
  readonly runId: string;
  readonly nodeId: string;
  /** `ended`: the run was over before it could be told. */
  readonly status: WaitDeliveriesTable['status'];
}

export interface WaitSettlement {
  readonly runId: string;
  readonly status: 'delivered' | 'ended';
}

export interface EventOfTenant {
  readonly tenant: string;
  readonly id: string;
}

/** By wait id. */
export async function loadWaitDeliveries(
  db: Database,
  event: EventOfTenant,
  page: { readonly pending?: true; readonly limit: number },
): Promise<readonly WaitDelivery[]> {
  let query = db
    .selectFrom('fermata.wait_deliveries')
    .select(['wait_id as waitId', 'run_id as runId', 'node_id as nodeId', 'status'])
    .where('tenant', '=', event.tenant)
    .where('event_id', '=', event.id);
  if (page.pending) query = query.where('status', '=', 'pending');
  return await query.orderBy('wait_id').limit(page.limit).execute();
}

/** Writes which runs were told, or are over. */
export async function settleWaits(
  db: Database,
  event: EventOfTenant,
  settlements: readonly WaitSettlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  await sql`
    with ${COMMIT_MODE},
    row as (select * from json_to_recordset(${JSON.stringify(settlements)}::json) as row("runId" text, status text)),
    closed as (
      update fermata.event_waits as wait set closed_at = clock_timestamp() from row
      where row.status = 'ended' and wait.tenant = ${event.tenant} and wait.run_id = row."runId"
        and wait.closed_at is null
    )
    update fermata.wait_deliveries as delivery set status = row.status from commit_mode, row
    where delivery.tenant = ${event.tenant} and delivery.event_id = ${event.id} and delivery.run_id = row."runId"
      and delivery.status = 'pending'`.execute(db);
}

/** Marks the event done when nothing of it is pending; to be asked once its waits were looked for. */
export async function finishIfSettled(db: Database, event: EventOfTenant): Promise<void> {
  await sql`
    with ${COMMIT_MODE}
    update fermata.events as event set done_at = clock_timestamp() from commit_mode
    where event.tenant = ${event.tenant} and event.id = ${event.id} and event.done_at is null
      and not exists (
        select from fermata.deliveries as delivery where delivery.tenant = event.tenant
          and delivery.event_id = event.id and delivery.status = 'pending')
      and not exists (
        select from fermata.wait_deliveries as delivery where delivery.tenant = event.tenant
          and delivery.event_id = event.id and delivery.status = 'pending')`.execute(db);
}
