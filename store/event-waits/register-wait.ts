/**
 * The side of a run that waits: it says what it waits for, and is given what is there already.
 *
 * Invariants:
 * 1. The wait is written and committed, then events are read; whoever accepts an event writes it, then reads the waits.
 *    So at least one of the two sees the other, without a lock; both may, and the run takes an event once.
 * 2. Twice changes nothing, and a wait that is closed stays closed.
 * 3. Events that the run has taken are not given again.
 */
import { sql } from 'kysely';
import type { WaitAnswer, WaitRegistration } from '../../definitions/event-waits.ts';
import { jsonBytes } from '../../definitions/json/size.ts';
import type { CloudEvent, Json } from '../../definitions/types.ts';
import type { Database } from '../database.ts';
import { keyOfWait } from './correlation-key.ts';
import { completeKeys } from './event-keys.ts';

/** Events of one answer, and about their bytes: they travel with the run. */
const MOST_EVENTS = 20;
const MOST_BYTES = 192 * 1024;

export async function registerWait(db: Database, tenant: string, wait: WaitRegistration): Promise<WaitAnswer> {
  const { paths, key } = keyOfWait(wait.correlation);
  await writeWait(db, tenant, { ...wait, paths, key });
  const since = await sinceOf(db, tenant, wait);
  for (const type of wait.types) await completeKeys(db, { tenant, type, paths }, since);
  // Without a filter the run takes the first.
  const limit = wait.filter === null ? 1 : MOST_EVENTS;
  return cut(await arrived(db, tenant, { ...wait, key, cutoff: since, limit }), limit);
}

type Keyed = WaitRegistration & { readonly key: string };

async function writeWait(db: Database, tenant: string, wait: Keyed & { readonly paths: string }): Promise<void> {
  const { waitId, runId, nodeId, shown, filter, since, runStartedAt } = wait;
  await sql`
    with ended as (${closing(tenant, wait)}),
    paths as (
      insert into fermata.event_wait_paths (tenant, type, paths)
      select ${tenant}, type, ${wait.paths} from unnest(${wait.types}::text[]) as type order by type
      on conflict do nothing
    )
    insert into fermata.event_waits (tenant, wait_id, type, run_id, node_id, correlation, expected, filter, since)
    select ${tenant}, ${waitId}, type, ${runId}, ${nodeId}, ${wait.key}, ${JSON.stringify(shown)}::json, ${filter},
      coalesce(${moment(since)}, least(${moment(runStartedAt)},
        (select created_at from fermata.runs where tenant = ${tenant} and run_id = ${runId})))
    from unnest(${wait.types}::text[]) as type order by type
    on conflict do nothing`.execute(db);
}

function closing(tenant: string, { runId, ended }: WaitRegistration) {
  return sql`
    update fermata.event_waits as wait
    set closed_at = coalesce(wait.closed_at, clock_timestamp()), took = coalesce(wait.took, row.took)
    from json_to_recordset(${JSON.stringify(ended)}::json) as row("waitId" text, took text)
    where wait.tenant = ${tenant} and wait.run_id = ${runId} and wait.wait_id = row."waitId"`;
}

function moment(ms: number | null) {
  return sql<Date>`${ms === null ? null : new Date(ms)}::timestamptz(3)`;
}

async function sinceOf(db: Database, tenant: string, { waitId }: WaitRegistration): Promise<Date> {
  const { since } = await db
    .selectFrom('fermata.event_waits')
    .select('since')
    .where('tenant', '=', tenant)
    .where('wait_id', '=', waitId)
    .executeTakeFirstOrThrow();
  return since;
}

interface ArrivedRow {
  readonly body: CloudEvent;
  readonly accepted_at: Date;
  readonly position: string;
}

async function arrived(
  db: Database,
  tenant: string,
  wait: Keyed & { readonly cutoff: Date; readonly limit: number },
): Promise<readonly ArrivedRow[]> {
  const [at, position] = wait.after === null ? [wait.cutoff.getTime(), '0'] : readCursor(wait.after);
  const { rows } = await sql<ArrivedRow>`
    select event.body, key.accepted_at, key.position
    from fermata.event_keys as key
    join fermata.events as event on event.tenant = key.tenant and event.id = key.event_id
    where key.tenant = ${tenant} and key.correlation = ${wait.key} and key.type = any(${wait.types})
      and (key.accepted_at, key.position) > (${new Date(at)}, ${position}::bigint)
      and not exists (
        select from fermata.event_waits as earlier where earlier.tenant = key.tenant
          and earlier.run_id = ${wait.runId} and earlier.took = key.event_id)
    order by key.accepted_at, key.position limit ${wait.limit}`.execute(db);
  return rows;
}

/** As many as an answer may hold, at least one. */
function cut(rows: readonly ArrivedRow[], limit: number): WaitAnswer {
  let bytes = 0;
  const fitting = rows.filter(({ body }, index) => {
    bytes += jsonBytes(body as unknown as Json);
    return index === 0 || bytes <= MOST_BYTES;
  });
  const last = fitting.at(-1);
  const isAll = rows.length < limit && fitting.length === rows.length;
  return {
    events: fitting.map(({ body, accepted_at: at }) => ({ event: body, at: at.getTime() })),
    next: isAll || last === undefined ? null : JSON.stringify([last.accepted_at.getTime(), last.position]),
  };
}

function readCursor(text: string): readonly [at: number, position: string] {
  return JSON.parse(text) as [number, string];
}
