/**
 * Reads a run back from its rows: the records, and the document that `definitions/run-document.ts` folds from them.
 *
 * Invariant: all rows of a run are read in one statement, so a document never shows half of a write.
 */
import type { CommandRecord, RunDocument, RunRecord, VisitRecord } from '../definitions/records.ts';
import { runDocument } from '../definitions/run-document.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from './database.ts';
import type { AttemptsTable, CommandsTable, RunsTable, VisitsTable, WaitsTable } from './tables.ts';

export interface RunKey {
  readonly tenant: string;
  readonly runId: string;
}

/** Rows as they come inside JSON: times are text. */
type InJson<Row> = {
  [Column in keyof Row]: Row[Column] extends Date | null ? Exclude<Row[Column], Date> | string : Row[Column];
};
type VisitRow = InJson<Selectable<VisitsTable>>;
type CommandRow = InJson<Selectable<CommandsTable>>;
type WaitRow = InJson<Selectable<WaitsTable>>;
type AttemptRow = InJson<Selectable<AttemptsTable>>;

interface RunRows extends Selectable<RunsTable> {
  readonly visits: readonly VisitRow[];
  readonly commands: readonly CommandRow[];
  readonly waits: readonly WaitRow[];
  readonly attempts: readonly AttemptRow[];
}

/** The document of a run, or `null` where nothing is known of it. */
export async function loadRunDocument(db: Database, key: RunKey): Promise<RunDocument | null> {
  const { rows } = await sql<RunRows>`
    select run.*, ${rowsOf('visits')}, ${rowsOf('commands')}, ${rowsOf('waits')}, ${rowsOf('attempts')}
    from fermata.runs as run where run.tenant = ${key.tenant} and run.run_id = ${key.runId}`.execute(db);
  return rows[0] === undefined ? null : foldRun(rows[0]);
}

function rowsOf(table: 'visits' | 'commands' | 'waits' | 'attempts'): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(row), '[]') from ${sql.table(`fermata.${table}`)} as row
    where row.tenant = run.tenant and row.run_id = run.run_id) as ${sql.ref(table)}`;
}

function foldRun(run: RunRows): RunDocument {
  const header = {
    runId: run.run_id,
    definitionId: run.definition_id,
    version: run.version,
    startedAt: (run.started_at ?? run.created_at).getTime(),
    vars: run.vars ?? {},
    attempts: new Map(run.attempts.map((row) => [row.command_id, row.attempts])),
  };
  const ended = new Set(run.visits.filter((visit) => visit.outcome !== null).map((visit) => visit.seq));
  return runDocument(header, [
    stateRecord(run),
    ...run.visits.map(visitRecord),
    ...run.commands.map(commandRecord),
    ...run.waits.filter((wait) => wait.open && !ended.has(wait.seq)).map(waitRecord),
  ]);
}

function stateRecord(run: Selectable<RunsTable>): RunRecord {
  return { kind: 'state', state: run.state, at: run.state_at.getTime(), output: run.output, error: run.error };
}

function visitRecord(row: VisitRow): VisitRecord {
  return {
    kind: 'visit',
    seq: row.seq,
    nodeId: row.node_id,
    path: row.path,
    visit: row.visit,
    type: row.type,
    outcome: row.outcome,
    startedAt: Date.parse(row.started_at),
    finishedAt: row.finished_at === null ? null : Date.parse(row.finished_at),
    error: row.error,
  };
}

function commandRecord(row: CommandRow): CommandRecord {
  return {
    kind: 'command',
    seq: row.seq,
    commandId: row.command_id,
    nodeId: row.node_id,
    type: row.type,
    version: row.handler_version,
    payload: row.payload,
    state: row.state,
    result: row.result,
    error: row.error,
    orderedAt: Date.parse(row.ordered_at),
    finishedAt: row.finished_at === null ? null : Date.parse(row.finished_at),
    undoes: row.undoes,
  };
}

function waitRecord(row: WaitRow): RunRecord {
  return { kind: 'wait', seq: row.seq, open: true, waiting: row.waiting };
}
