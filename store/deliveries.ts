/**
 * Deliveries: one row per event and definition that it starts, or that matched and cannot start.
 */
import { type RawBuilder, sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { KeyClaim } from '../definitions/key-claim.ts';
import type { Entity, Initiator, Json } from '../definitions/types.ts';
import type { Database } from './database.ts';
import type { DeliveriesTable } from './tables.ts';

export interface Delivery {
  readonly definitionId: string;
  readonly version: number;
  /** `null`: there is none. */
  readonly runId: string | null;
  readonly status: DeliveriesTable['status'];
  /** Why it was refused. */
  readonly error: ErrorInfo | null;
  /** While it is pending: what the run is to be started with. */
  readonly start: DeliveryStart | null;
}

export interface DeliveryStart {
  readonly hash: string | null;
  readonly input: Json;
  readonly initiator: Initiator;
  readonly entity: Entity | null;
  /** Whether it has a key of its definition. */
  readonly keyed: boolean;
}

export interface EventKey {
  readonly tenant: string;
  readonly id: string;
}

/** A run to start, one whose start is not the event's, or with `error` why there is none. */
export type NewDelivery = DeliveryId &
  (
    | ({ readonly runId: string; readonly key?: KeyClaim | null } & Omit<DeliveryStart, 'keyed'>)
    | { readonly runId: string; readonly settled: 'started' | 'queued' | 'joined' }
    | { readonly error: ErrorInfo }
  );

interface DeliveryId {
  readonly definitionId: string;
  readonly version: number;
}

/** New deliveries as they will be read back. */
export function asDeliveries(deliveries: readonly NewDelivery[]): readonly Delivery[] {
  return deliveries.map(asDelivery).sort(byDefinition);
}

function asDelivery(delivery: NewDelivery): Delivery {
  const { definitionId, version } = delivery;
  if ('error' in delivery) {
    return { definitionId, version, runId: null, status: 'refused', error: delivery.error, start: null };
  }
  if ('settled' in delivery) {
    return { definitionId, version, runId: delivery.runId, status: delivery.settled, error: null, start: null };
  }
  const { runId, hash, input, initiator, entity, key = null } = delivery;
  const start = { hash, input, initiator, entity, keyed: key !== null };
  return { definitionId, version, runId, status: 'pending', error: null, start };
}

function byDefinition(one: Delivery, other: Delivery): number {
  return one.definitionId < other.definitionId ? -1 : 1;
}

/** The insert that belongs to the row of `event`, a part of the statement that inserts it. */
export function insertDeliveries(deliveries: readonly NewDelivery[]): RawBuilder<unknown> {
  const rows = deliveries.map(asDelivery).map(({ definitionId, version, runId, status, error }) => ({
    definition_id: definitionId,
    version,
    run_id: runId,
    status,
    error: error === null ? null : JSON.stringify(error),
  }));
  return sql`
    insert into fermata.deliveries (tenant, event_id, definition_id, version, run_id, status, error, settled_at)
    select event.tenant, event.id, definition_id, version, run_id, status, error::json,
      case when status <> 'pending' then clock_timestamp() end
    from event, json_to_recordset(${JSON.stringify(rows)}::json)
      as row(definition_id text, version integer, run_id text, status text, error text)`;
}

/** The deliveries of events, by definition id; see {@link deliveriesOf}. */
export async function loadDeliveries(db: Database, events: readonly EventKey[]): Promise<Map<string, Delivery[]>> {
  const byEvent = new Map<string, Delivery[]>();
  if (events.length === 0) return byEvent;
  const rows = await db
    .selectFrom('fermata.deliveries as deliveries')
    .leftJoin('fermata.runs as runs', (join) =>
      join
        .onRef('runs.tenant', '=', 'deliveries.tenant')
        .onRef('runs.run_id', '=', 'deliveries.run_id')
        .on('deliveries.status', '=', 'pending'),
    )
    .selectAll('deliveries')
    .select(['runs.hash', 'runs.input', 'runs.initiator', 'runs.entity_type', 'runs.entity_id', 'runs.key'])
    .where((eb) =>
      eb(
        eb.refTuple('deliveries.tenant', 'deliveries.event_id'),
        'in',
        events.map((event) => eb.tuple(event.tenant, event.id)),
      ),
    )
    .execute();
  for (const row of rows) {
    const key = keyOf({ tenant: row.tenant, id: row.event_id });
    const list = byEvent.get(key);
    if (list === undefined) byEvent.set(key, [toDelivery(row)]);
    else list.push(toDelivery(row));
  }
  for (const list of byEvent.values()) list.sort(byDefinition);
  return byEvent;
}

export function deliveriesOf(loaded: ReadonlyMap<string, readonly Delivery[]>, event: EventKey): readonly Delivery[] {
  return loaded.get(keyOf(event)) ?? [];
}

function keyOf(event: EventKey): string {
  return JSON.stringify([event.tenant, event.id]);
}

function toDelivery(row: {
  definition_id: string;
  version: number;
  run_id: string | null;
  status: DeliveriesTable['status'];
  error: ErrorInfo | null;
  hash: string | null;
  input: Json | null;
  initiator: Initiator | null;
  entity_type: string | null;
  entity_id: string | null;
  key: string | null;
}): Delivery {
  const { hash, input, initiator, entity_type: type, entity_id: id, key } = row;
  const entity = type === null || id === null ? null : { type, id };
  return {
    definitionId: row.definition_id,
    version: row.version,
    runId: row.run_id,
    status: row.status,
    error: row.error,
    start:
      row.status === 'pending' && initiator !== null ? { hash, input, initiator, entity, keyed: key !== null } : null,
  };
}
