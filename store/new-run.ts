/**
 * The row of a run that is about to be started.
 */
import { sql } from 'kysely';
import type { Initiator, Json } from '../definitions/types.ts';
import type { Database } from './database.ts';

export interface NewRun {
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  readonly hash: string | null;
  readonly input: Json;
  readonly eventId: string | null;
  readonly initiator: Initiator;
  readonly entity: { readonly type: string; readonly id: string } | null;
}

/** Adds runs in the state `pending`, but for those that are there. Gives the ids of the added ones. */
export async function insertRuns(db: Database, tenant: string, runs: readonly NewRun[]): Promise<readonly string[]> {
  if (runs.length === 0) return [];
  const rows = runs.map((run) => ({
    run_id: run.runId,
    definition_id: run.definitionId,
    version: run.version,
    hash: run.hash,
    input: JSON.stringify(run.input),
    event_id: run.eventId,
    initiator: JSON.stringify(run.initiator),
    entity_type: run.entity?.type ?? null,
    entity_id: run.entity?.id ?? null,
  }));
  const added = await sql<{ run_id: string }>`
    insert into fermata.runs (tenant, run_id, definition_id, version, hash, state, state_at, input, event_id, initiator,
      entity_type, entity_id)
    select ${tenant}, run_id, definition_id, version, hash, 'pending', to_timestamp(0), input::json, event_id,
      initiator::json, entity_type, entity_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as row(run_id text, definition_id text, version integer,
      hash text, input text, event_id text, initiator text, entity_type text, entity_id text)
    order by run_id
    on conflict (tenant, run_id) do nothing
    returning run_id`.execute(db);
  return added.rows.map((row) => row.run_id);
}
