/**
 * Lists of runs, newest first.
 */
import { type Selectable, sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Entity, Initiator, RunState } from '../definitions/types.ts';
import type { Database } from './database.ts';
import { type Page, pageSize, readCursor, toPage } from './page.ts';
import { indexText } from './records/index-text.ts';
import type { RunsTable } from './tables.ts';
import { waitsFor } from './key-turn.ts';

export interface RunFilter {
  readonly definitionId?: string;
  readonly state?: RunState;
  readonly entity?: { readonly type: string; readonly id?: string };
  readonly eventId?: string;
  /** 1 to 200. Default 50. */
  readonly limit?: number;
  /** Of the page before. */
  readonly cursor?: string;
}

export interface RunSummary {
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  readonly state: RunState;
  /** The run that has the key for which this one waits; `null`: it waits for none. */
  readonly waitsFor: string | null;
  readonly error: ErrorInfo | null;
  readonly eventId: string | null;
  readonly initiator: Initiator | null;
  readonly entity: Entity | null;
  /** When it was asked for. */
  readonly createdAt: Date;
  /** When it began; `null`: not yet. */
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** Columns of a {@link RunSummary}. */
export const RUN_SUMMARY = [
  'run_id',
  'definition_id',
  'version',
  'state',
  'error',
  'event_id',
  'initiator',
  'entity_type',
  'entity_id',
  'created_at',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof RunsTable)[];

/** @throws usage.invalid for a cursor that no list gave */
export async function listRuns(db: Database, tenant: string, filter: RunFilter): Promise<Page<RunSummary>> {
  const size = pageSize(filter.limit);
  let query = db
    .selectFrom('fermata.runs')
    .select([...RUN_SUMMARY, waitsFor])
    .where('tenant', '=', tenant);
  if (filter.definitionId !== undefined) query = query.where('definition_id', '=', filter.definitionId);
  if (filter.state !== undefined) query = query.where('state', '=', filter.state);
  if (filter.eventId !== undefined) query = query.where('event_id', '=', filter.eventId);
  if (filter.entity !== undefined) query = query.where('entity_type', '=', indexText(filter.entity.type));
  if (filter.entity?.id !== undefined) query = query.where('entity_id', '=', indexText(filter.entity.id));
  if (filter.cursor !== undefined) {
    const { at, id } = readCursor(filter.cursor);
    query = query.where(sql<boolean>`(created_at, run_id) < (${new Date(at)}, ${id})`);
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('run_id', 'desc')
    .limit(size + 1)
    .execute();
  return toPage(rows, size, {
    item: toRunSummary,
    position: (row) => ({ at: row.created_at.getTime(), id: row.run_id }),
  });
}

export function toRunSummary(
  row: Pick<Selectable<RunsTable>, (typeof RUN_SUMMARY)[number]> & { readonly waits_for: string | null },
): RunSummary {
  const { entity_type: type, entity_id: id } = row;
  return {
    runId: row.run_id,
    definitionId: row.definition_id,
    version: row.version,
    state: row.state,
    waitsFor: row.waits_for,
    error: row.error,
    eventId: row.event_id,
    initiator: row.initiator,
    entity: type === null || id === null ? null : { type, id },
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}
