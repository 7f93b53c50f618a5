/**
 * The row of a run that is about to be started.
 */
import { type RawBuilder, sql } from 'kysely';
import type { KeyClaim } from '../definitions/key-claim.ts';
import type { Entity, Initiator, Json } from '../definitions/types.ts';
import type { Database } from './database.ts';
import { keyText } from './key-lock.ts';
import { indexText } from './records/index-text.ts';

export interface NewRun {
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  readonly hash: string | null;
  readonly input: Json;
  readonly eventId: string | null;
  readonly initiator: Initiator;
  readonly entity: Entity | null;
  /** Default: it needs none. */
  readonly key?: KeyClaim | null;
  /** Where it is walked if it has to wait for its key. Default: where whoever starts it then walks its own. */
  readonly taskQueue?: string | null;
}

/** Adds a run in the state `pending`; `false`: its id is there already. */
export async function insertRun(db: Database, tenant: string, run: NewRun): Promise<boolean> {
  const added = await sql`
    with owner as (select ${tenant}::text as tenant)
    ${insertRunsFrom(sql`owner`, [run])} returning run_id`.execute(db);
  return added.rows.length > 0;
}

/** The insert of pending runs, of the tenant in the one row of `owner`; with no row there it inserts nothing. */
export function insertRunsFrom(owner: RawBuilder<unknown>, runs: readonly NewRun[]): RawBuilder<unknown> {
  const rows = runs.map((run) => ({
    run_id: run.runId,
    definition_id: run.definitionId,
    version: run.version,
    hash: run.hash,
    input: JSON.stringify(run.input),
    event_id: run.eventId,
    initiator: JSON.stringify(run.initiator),
    entity_type: run.entity === null ? null : indexText(run.entity.type),
    entity_id: run.entity === null ? null : indexText(run.entity.id),
    key: run.key ? keyText(run.key) : null,
  }));
  return sql`
    insert into fermata.runs (tenant, run_id, definition_id, version, hash, state, state_at, input, event_id, initiator,
      entity_type, entity_id, key)
    select ${owner}.tenant, run_id, definition_id, version, hash, 'pending', to_timestamp(0), input::json, event_id,
      initiator::json, entity_type, entity_id, key
    from ${owner}, json_to_recordset(${JSON.stringify(rows)}::json) as row(run_id text, definition_id text,
      version integer, hash text, input text, event_id text, initiator text, entity_type text, entity_id text,
      key text)
    order by run_id
    on conflict (tenant, run_id) do nothing`;
}
