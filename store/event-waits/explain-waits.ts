/**
 * What waits and an event had to do with each other: what `fermata events explain` tells of them.
 *
 * What it is not: a judge. It gives rows; why a wait does not mean the event is said by the client.
 */
import { type RawBuilder, sql } from 'kysely';
import type { MissedEvent } from '../../definitions/records.ts';
import type { CloudEvent, Json } from '../../definitions/types.ts';
import type { Database } from '../database.ts';
import type { WaitDelivery } from './wait-deliveries.ts';
import { keyOfEvent } from './correlation-key.ts';

export interface ExplainedWait {
  readonly waitId: string;
  readonly runId: string;
  readonly nodeId: string;
  /** The values that it wants at paths of the event, as people may see them. */
  readonly expected: { readonly [path: string]: Json };
  readonly filter: string | null;
  readonly since: Date;
  readonly registeredAt: Date;
  readonly closedAt: Date | null;
  /** Id of the event that ended it. */
  readonly took: string | null;
  /** The latest events that its filter did not let through. */
  readonly missed: readonly MissedEvent[];
  /** Of this event to this wait; `null`: there was none. */
  readonly delivery: WaitDelivery['status'] | null;
  /** Whether all values of this event are equal to those that the wait wants. */
  readonly correlates: boolean;
}

export interface ExplainWaitsOptions {
  /** Only waits of this run, open or not. */
  readonly runId?: string;
  /** Most waits that the event was not for. */
  readonly limit: number;
}

type Row = Omit<ExplainedWait, 'correlates'> & { readonly correlation: string };

/** Those that took the event, those it was delivered to, then up to `limit` open ones of its type that it missed. */
export async function explainWaits(
  db: Database,
  tenant: string,
  asked: ExplainWaitsOptions & { readonly event: CloudEvent },
): Promise<readonly ExplainedWait[]> {
  const { event, runId = null, limit } = asked;
  const ofRun = sql`(${runId}::text is null or wait.run_id = ${runId})`;
  const met = sql`
    select wait_id from fermata.event_waits as wait
    where tenant = ${tenant} and took = ${event.id} and ${ofRun}
    union
    select wait_id from fermata.wait_deliveries as wait
    where tenant = ${tenant} and event_id = ${event.id} and ${ofRun}`;
  const missed = sql`
    select wait_id from fermata.event_waits as wait
    where tenant = ${tenant} and type = ${event.type} and ${missable(runId)}
      and not exists (select from met where met.wait_id = wait.wait_id)
    order by correlation, wait_id limit ${limit}`;
  const { rows } = await sql<Row>`
    with met as (${met}), missed as (${missed}),
    named as (select wait_id, true as is_met from met union all select wait_id, false from missed)
    select wait.wait_id as "waitId", wait.run_id as "runId", wait.node_id as "nodeId", wait.expected, wait.filter,
      wait.since, wait.registered_at as "registeredAt", wait.closed_at as "closedAt", wait.took,
      coalesce(wait.missed, '[]') as missed, wait.correlation, delivery.status as delivery
    from named join fermata.event_waits as wait on wait.tenant = ${tenant} and wait.wait_id = named.wait_id
      and wait.type = ${event.type}
    left join fermata.wait_deliveries as delivery on delivery.tenant = ${tenant}
      and delivery.event_id = ${event.id} and delivery.wait_id = wait.wait_id
    order by wait.took is distinct from ${event.id}, not named.is_met, wait.run_id, wait.registered_at,
      wait.wait_id`.execute(db);
  const keys = await keysOf(db, tenant, event);
  return rows.map(({ correlation, ...row }) => ({ ...row, correlates: keys.has(correlation) }));
}

function missable(runId: string | null): RawBuilder<unknown> {
  return runId === null ? sql`closed_at is null` : sql`run_id = ${runId}`;
}

async function keysOf(db: Database, tenant: string, event: CloudEvent): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ paths: string }>`
    select paths from fermata.event_wait_paths where tenant = ${tenant} and type = ${event.type}`.execute(db);
  return new Set(rows.flatMap(({ paths }) => keyOfEvent(paths, event) ?? []));
}
