/**
 * The keys of events: what a wait finds the events by that were there before it.
 *
 * Invariants:
 * 1. `complete_from` of a path list never lies: every event of the type that was accepted at or after it has its key, or
 *    is still to be looked at by whoever accepted it, who then sees the wait (`match-waits.ts`).
 * 2. Keys of older events are made when a wait first asks for that far back, newest first, each batch for good.
 */
import { sql } from 'kysely';
import type { CloudEvent } from '../../definitions/types.ts';
import { COMMIT_MODE } from '../commit-mode.ts';
import type { Database } from '../database.ts';
import { keyOfEvent } from './correlation-key.ts';

export interface PathsOfType {
  readonly tenant: string;
  readonly type: string;
  /** As `keyOfWait` writes them. */
  readonly paths: string;
}

/** Older events that get their keys in one statement. */
const BATCH = 200;
/** An event is accepted before its row can be seen; this much earlier at most. */
const SLACK_MS = 60_000;

/** Gives events of an accepted id their keys. Twice changes nothing. */
export async function addKeys(db: Database, tenant: string, keyed: readonly KeyedEvent[]): Promise<void> {
  if (keyed.length === 0) return;
  await sql`
    with ${COMMIT_MODE}
    insert into fermata.event_keys (tenant, event_id, correlation, type, accepted_at)
    select event.tenant, event.id, row.key, event.type, event.accepted_at
    from commit_mode, json_to_recordset(${JSON.stringify(keyed)}::json) as row(id text, key text)
    join fermata.events as event on event.tenant = ${tenant} and event.id = row.id
    order by event.accepted_at, event.id
    on conflict do nothing`.execute(db);
}

export interface KeyedEvent {
  readonly id: string;
  readonly key: string;
}

/** Sees to it that every event that was accepted at or after `since` has its key for these paths. */
export async function completeKeys(db: Database, of: PathsOfType, since: Date): Promise<void> {
  const known = await beginKnowing(db, of);
  if (known <= since) return;
  let from: Place = { at: new Date(known.getTime() + SLACK_MS), id: '' };
  for (;;) {
    const { rows } = await sql<{ id: string; body: CloudEvent; accepted_at: Date }>`
      select id, body, accepted_at from fermata.events
      where tenant = ${of.tenant} and type = ${of.type} and accepted_at >= ${since}
        and (accepted_at, id) < (${from.at}, ${from.id})
      order by accepted_at desc, id desc limit ${BATCH}`.execute(db);
    const keyed = rows.flatMap(({ id, body }) => {
      const key = keyOfEvent(of.paths, body);
      return key === null ? [] : [{ id, key }];
    });
    await addKeys(db, of.tenant, keyed);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return noteComplete(db, of, since);
    from = { at: last.accepted_at, id: last.id };
    // Others of the same millisecond may be in the next batch.
    await noteComplete(db, of, new Date(from.at.getTime() + 1));
  }
}

interface Place {
  readonly at: Date;
  readonly id: string;
}

/** A statement after the one that wrote the row: whoever accepted an event later than its clock has seen the row. */
async function beginKnowing(db: Database, { tenant, type, paths }: PathsOfType): Promise<Date> {
  const place = sql`tenant = ${tenant} and type = ${type} and paths = ${paths}`;
  const read = sql<{ complete_from: Date | null }>`select complete_from from fermata.event_wait_paths where ${place}`;
  const known = (await read.execute(db)).rows[0]?.complete_from;
  if (known) return known;
  await sql`update fermata.event_wait_paths set complete_from = clock_timestamp()
    where ${place} and complete_from is null`.execute(db);
  return (await read.execute(db)).rows[0]?.complete_from ?? new Date();
}

async function noteComplete(db: Database, { tenant, type, paths }: PathsOfType, from: Date): Promise<void> {
  await sql`update fermata.event_wait_paths set complete_from = least(complete_from, ${from})
    where tenant = ${tenant} and type = ${type} and paths = ${paths}`.execute(db);
}
