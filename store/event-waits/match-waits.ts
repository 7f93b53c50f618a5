/**
 * The side of whoever accepted an event: which open waits it is for. `register-wait.ts` has the other side and the rule
 * that joins them.
 *
 * Invariants:
 * 1. It comes after the event is committed, in statements of their own: keys first, so that a wait which comes later
 *    finds the event, then the waits that are there.
 * 2. Its cost follows the path lists in use for the type and the waits that are found, not those that are open.
 * 3. Twice changes nothing but that waits which came meanwhile are found too.
 */
import { sql } from 'kysely';
import type { CloudEvent } from '../../definitions/types.ts';
import { COMMIT_MODE } from '../commit-mode.ts';
import type { Database } from '../database.ts';
import { keyOfEvent } from './correlation-key.ts';
import { addKeys } from './event-keys.ts';

/** Writes a delivery for every open wait that the event is for. Gives whether its type has ever been waited for. */
export async function matchWaits(db: Database, tenant: string, event: CloudEvent): Promise<boolean> {
  const pathLists = await pathListsOf(db, tenant, event);
  if (pathLists.length === 0) return false;
  const keys = pathLists.flatMap((paths) => keyOfEvent(paths, event) ?? []);
  if (keys.length === 0) return true;
  await addKeys(
    db,
    tenant,
    keys.map((key) => ({ id: event.id, key })),
  );
  await sql`
    with ${COMMIT_MODE}
    insert into fermata.wait_deliveries (tenant, event_id, wait_id, run_id, node_id, status)
    select wait.tenant, event.id, wait.wait_id, wait.run_id, wait.node_id, 'pending'
    from commit_mode, fermata.events as event
    join fermata.event_waits as wait on wait.tenant = event.tenant and wait.type = event.type
      and wait.correlation = any(${keys}) and wait.closed_at is null and wait.since <= event.accepted_at
    where event.tenant = ${tenant} and event.id = ${event.id}
    order by wait.wait_id
    on conflict do nothing`.execute(db);
  return true;
}

async function pathListsOf(db: Database, tenant: string, { type }: CloudEvent): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('fermata.event_wait_paths')
    .select('paths')
    .where('tenant', '=', tenant)
    .where('type', '=', type)
    .execute();
  return rows.map(({ paths }) => paths);
}
