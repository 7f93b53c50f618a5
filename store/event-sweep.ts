/**
 * Finds events whose starts a crash interrupted, for whoever finishes them.
 *
 * Invariants:
 * 1. A claimed event is leased: until the lease is over no other sweeper gets it, and a sweeper that dies loses nothing.
 * 2. All tenants are swept; the event says whose it is.
 */
import { sql } from 'kysely';
import { type AcceptedEvent, DEFAULT_LEASE_MS } from './accept-event.ts';
import type { Database } from './database.ts';
import { deliveriesOf, loadDeliveries } from './deliveries.ts';

export interface SweepOptions {
  /** Leaves events alone that are younger. Default 10,000. */
  readonly olderThanMs?: number;
  /** Default 30,000. */
  readonly leaseMs?: number;
  /** Default 100. */
  readonly limit?: number;
}

/** Unfinished events, oldest first, leased to the caller. An event without pending deliveries only wants settling. */
export async function claimEvents(db: Database, options: SweepOptions = {}): Promise<readonly AcceptedEvent[]> {
  const { olderThanMs = 10_000, leaseMs = DEFAULT_LEASE_MS, limit = 100 } = options;
  const rows = await db
    .with('due', (query) =>
      query
        .selectFrom('fermata.events')
        .select(['tenant', 'id'])
        .where('done_at', 'is', null)
        .where('lease_until', '<=', sql<Date>`clock_timestamp()`)
        .where('accepted_at', '<=', sql<Date>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
        .orderBy('accepted_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('fermata.events as events')
    .from('due')
    .set({ lease_until: sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'` })
    .whereRef('events.tenant', '=', 'due.tenant')
    .whereRef('events.id', '=', 'due.id')
    .returning(['events.tenant', 'events.id', 'events.body', 'events.unmatched', 'events.accepted_at'])
    .returning('events.task_queue')
    .execute();
  const deliveries = await loadDeliveries(db, rows);
  return rows
    .map((row) => ({
      tenant: row.tenant,
      created: false,
      event: row.body,
      acceptedAt: row.accepted_at,
      done: false,
      deliveries: deliveriesOf(deliveries, row),
      unmatched: row.unmatched,
      taskQueue: row.task_queue,
    }))
    .sort((one, other) => one.acceptedAt.getTime() - other.acceptedAt.getTime());
}
