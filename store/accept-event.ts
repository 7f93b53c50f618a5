/**
 * Accepting an event: storing it with the runs it starts, or finding it.
 *
 * Invariants:
 * 1. An event is its tenant and id. The same id with other content is `event.conflict` (`event-content.ts`).
 * 2. Which definitions an event starts is fixed when it is first accepted, and every later delivery gets that answer.
 * 3. An accepted event is on disk before the answer is given.
 * 4. Starts that need a key are admitted in the transaction that accepts the event, so what became of them is fixed too.
 * 5. An event that was matched against definitions that have changed since is not accepted: it is to be matched anew. So a
 *    definition published before an event, in whatever process, is always among those it is matched against.
 * 5. It is not done before its waits were looked for, which comes after its commit (`event-waits/match-waits.ts`).
 */
import { sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import { startRefusal } from '../definitions/start-refusal.ts';
import type { CloudEvent } from '../definitions/types.ts';
import { admitKeyed, type KeyedRun, keyTaken, needsKey } from './admit-run.ts';
import type { Database, DatabaseTransaction } from './database.ts';
import {
  asDeliveries,
  type Delivery,
  deliveriesOf,
  insertDeliveries,
  loadDeliveries,
  type NewDelivery,
} from './deliveries.ts';
import { eventContentHash } from './event-content.ts';
import { insertRunsFrom, type NewRun } from './new-run.ts';
import { repeatLostRace } from './repeat-lost-race.ts';
import type { Unmatched } from './tables.ts';

export interface EventAcceptance {
  readonly event: CloudEvent;
  /** `false`: the door filled `time` in. Default `true`. */
  readonly timeGiven?: boolean;
  /** The runs to start, one per definition that matched. */
  readonly starts: readonly EventStart[];
  /** Definitions that matched but cannot start, such as for an input that does not fit. */
  readonly refusals?: readonly EventRefusal[];
  /** Subscribed definitions that did not match, as far as anybody wants to be told. */
  readonly unmatched?: readonly Unmatched[];
  /** Where its runs are walked. Default: where whoever starts them walks its own. */
  readonly taskQueue?: string;
  /** Of the definitions that the event was matched against (`definitions.changes`). Default: not asked. */
  readonly revision?: number;
  /** For how long the sweeper leaves the event to this process. Default 30,000. */
  readonly leaseMs?: number;
}

/** A run that an event starts; event id and tenant come from the event. */
export type EventStart = Omit<NewRun, 'eventId'> & { readonly version: number };

export interface EventRefusal {
  readonly definitionId: string;
  readonly version: number;
  readonly error: ErrorInfo;
}

export interface AcceptedEvent {
  readonly tenant: string;
  /** Whether this call was the first with this id. */
  readonly created: boolean;
  readonly event: CloudEvent;
  readonly acceptedAt: Date;
  /** Its waits were looked for, and nothing is pending any more. */
  readonly done: boolean;
  /** By definition id. */
  readonly deliveries: readonly Delivery[];
  readonly unmatched: readonly Unmatched[];
  readonly taskQueue: string | null;
}

/** Milliseconds for which the sweeper leaves an event to the process that works on it. */
export const DEFAULT_LEASE_MS = 30_000;

/** Gives `null` when definitions have changed since `revision`. @throws event.conflict */
export async function acceptEvent(
  db: Database,
  tenant: string,
  acceptance: EventAcceptance,
): Promise<AcceptedEvent | null> {
  const { event, unmatched = [] } = acceptance;
  const { outdated, acceptedAt, deliveries } = await insertWhole(db, tenant, acceptance);
  if (outdated) return null;
  if (acceptedAt !== null) {
    const taskQueue = acceptance.taskQueue ?? null;
    return { tenant, created: true, event, acceptedAt, done: false, deliveries, unmatched, taskQueue };
  }
  await refuseOtherContent(db, tenant, acceptance);
  const found = await loadEvent(db, { tenant, id: event.id });
  if (found === null)
    throw new FermataError('internal.error', `the event "${event.id}" vanished while it was accepted`);
  return found;
}

interface Insertion {
  readonly outdated: boolean;
  /** `null`: the event was there, or is outdated. */
  readonly acceptedAt: Date | null;
  readonly deliveries: readonly Delivery[];
}

/** One statement, unless a run needs a key. */
async function insertWhole(db: Database, tenant: string, acceptance: EventAcceptance): Promise<Insertion> {
  const keyed = acceptance.starts.filter(needsKey).sort(byDefinition);
  if (keyed.length === 0) return await insertEvent(db, tenant, acceptance);
  const others = { ...acceptance, starts: acceptance.starts.filter((start) => !needsKey(start)) };
  return await repeatLostRace(() =>
    db.transaction().execute(async (trx) => {
      const inserted = await insertEvent(trx, tenant, others);
      if (inserted.acceptedAt === null) return inserted;
      const admitted = await admitStarts(trx, tenant, { ...acceptance, starts: keyed });
      return { ...inserted, deliveries: [...inserted.deliveries, ...admitted].sort(byDefinition) };
    }),
  );
}

function byDefinition(one: { readonly definitionId: string }, other: { readonly definitionId: string }): number {
  return one.definitionId < other.definitionId ? -1 : 1;
}

/** Adds what became of starts that need a key, one after the other, to an event that is there. */
async function admitStarts(
  trx: DatabaseTransaction,
  tenant: string,
  { event, taskQueue, starts }: EventAcceptance,
): Promise<readonly Delivery[]> {
  const deliveries: NewDelivery[] = [];
  for (const start of starts.filter(needsKey)) {
    deliveries.push(await admitStart(trx, tenant, { ...start, eventId: event.id, taskQueue: taskQueue ?? null }));
  }
  await sql`
    with event as (select ${tenant}::text as tenant, ${event.id}::text as id)
    ${insertDeliveries(deliveries)}`.execute(trx);
  return asDeliveries(deliveries);
}

async function admitStart(
  trx: DatabaseTransaction,
  tenant: string,
  start: KeyedRun & { readonly version: number },
): Promise<NewDelivery> {
  const { definitionId, version, runId } = start;
  const admission = await admitKeyed(trx, tenant, start);
  switch (admission.status) {
    case 'begin':
      return start;
    case 'queued':
      return { definitionId, version, runId, settled: 'queued' };
    case 'known':
      return { definitionId, version, runId, settled: 'started' };
    case 'joined':
      return { definitionId, version, runId: admission.holder, settled: 'joined' };
    case 'rejected':
      return { definitionId, version, error: startRefusal(keyTaken(start, admission.holder)) };
  }
}

/**
 * Adds the event with its deliveries and runs in one statement.
 * Of many at once one inserts; the others wait for it and then find it.
 */
async function insertEvent(db: Database, tenant: string, acceptance: EventAcceptance): Promise<Insertion> {
  const { event, starts, refusals = [], timeGiven = true, unmatched = [], leaseMs = DEFAULT_LEASE_MS } = acceptance;
  const runs = starts.map((start) => ({ ...start, eventId: event.id }));
  const { rows } = await sql<{ outdated: boolean; accepted_at: Date | null }>`
    with newer as materialized (
      select from fermata.definition_revisions
      where tenant = ${tenant} and revision > ${acceptance.revision ?? null}::integer
    ),
    event as (
      insert into fermata.events (tenant, id, type, content_hash, given_time, body, unmatched, task_queue,
        lease_until)
      select ${tenant}, ${event.id}, ${event.type}, ${eventContentHash(event)}, ${timeGiven ? event.time : null},
        ${JSON.stringify(event)}::json, ${JSON.stringify(unmatched)}::json, ${acceptance.taskQueue ?? null},
        clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where not exists (select from newer)
      on conflict do nothing
      returning tenant, id, accepted_at
    ),
    deliveries as (${insertDeliveries([...starts, ...refusals])}),
    runs as (${insertRunsFrom(sql`event`, runs)})
    select exists (select from newer) as outdated, (select accepted_at from event) as accepted_at`.execute(db);
  const deliveries = asDeliveries([...starts, ...refusals]);
  return { outdated: rows[0]?.outdated === true, acceptedAt: rows[0]?.accepted_at ?? null, deliveries };
}

async function refuseOtherContent(db: Database, tenant: string, acceptance: EventAcceptance): Promise<void> {
  const { event, timeGiven = true } = acceptance;
  const stored = await db
    .selectFrom('fermata.events')
    .select(['content_hash', 'given_time', 'accepted_at'])
    .where('tenant', '=', tenant)
    .where('id', '=', event.id)
    .executeTakeFirstOrThrow();
  const sameTime = !timeGiven || stored.given_time === null || Date.parse(stored.given_time) === Date.parse(event.time);
  if (sameTime && stored.content_hash === eventContentHash(event)) return;
  const acceptedAt = stored.accepted_at.toISOString();
  const message = `an event with the id "${event.id}" was accepted at ${acceptedAt} with other content; give the new event an id of its own`;
  throw new FermataError('event.conflict', message, { eventId: event.id, acceptedAt });
}

/** An accepted event with what it started, or `null`. */
export async function loadEvent(
  db: Database,
  key: { readonly tenant: string; readonly id: string },
): Promise<AcceptedEvent | null> {
  const row = await db
    .selectFrom('fermata.events')
    .select(['body', 'accepted_at', 'done_at', 'unmatched', 'task_queue'])
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    tenant: key.tenant,
    created: false,
    event: row.body,
    acceptedAt: row.accepted_at,
    done: row.done_at !== null,
    deliveries: deliveriesOf(await loadDeliveries(db, [key]), key),
    unmatched: row.unmatched,
    taskQueue: row.task_queue,
  };
}
