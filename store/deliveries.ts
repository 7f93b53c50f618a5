/**
 * Deliveries: one row per event and definition that it starts, or that matched and cannot start.
 */
import { sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Initiator, Json } from '../definitions/types.ts';
import type { Database, DatabaseTransaction } from './database.ts';
import type { DeliveriesTable } from './tables.ts';

export interface Delivery {
  readonly definitionId: string;
  readonly version: number;
  /** `null` when refused before a run had an id. */
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
  readonly entity: { readonly type: string; readonly id: string } | null;
}

export interface EventKey {
  readonly tenant: string;
  readonly id: string;
}

/** With `error` it is refused, else pending. */
interface NewDelivery {
  readonly definitionId: string;
  readonly version: number;
  readonly runId?: string;
  readonly error?: ErrorInfo;
}

export async function insertDeliveries(
  trx: DatabaseTransaction,
  event: { readonly tenant: string; readonly eventId: string },
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ definitionId, version, runId, error }) => ({
    definition_id: definitionId,
    version,
    run_id: runId ?? null,
    error: error === undefined ? null : JSON.stringify(error),
  }));
  await sql`
    insert into fermata.deliveries (tenant, event_id, definition_id, version, run_id, status, error, settled_at)
    select ${event.tenant}, ${event.eventId}, definition_id, version, run_id,
      case when error is null then 'pending' else 'refused' end, error::json,
      case when error is not null then clock_timestamp() end
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row(definition_id text, version integer, run_id text, error text)`.execute(trx);
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
    .select(['runs.hash', 'runs.input', 'runs.initiator', 'runs.entity_type', 'runs.entity_id'])
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('deliveries.tenant', 'deliveries.event_id'),
        'in',
        events.map((event) => tuple(event.tenant, event.id)),
      ),
    )
    .orderBy('deliveries.definition_id')
    .execute();
  for (const row of rows) {
    const key = keyOf({ tenant: row.tenant, id: row.event_id });
    const list = byEvent.get(key);
    if (list === undefined) byEvent.set(key, [toDelivery(row)]);
    else list.push(toDelivery(row));
  }
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
}): Delivery {
  const { hash, input, initiator, entity_type: type, entity_id: id } = row;
  const entity = type === null || id === null ? null : { type, id };
  return {
    definitionId: row.definition_id,
    version: row.version,
    runId: row.run_id,
    status: row.status,
    error: row.error,
    start: row.status === 'pending' && initiator !== null ? { hash, input, initiator, entity } : null,
  };
}
