/**
 * Reads a run back from its rows: the records, and the document that `definitions/run-document.ts` folds from them.
 *
 * Invariant: all rows of a run are read in one statement, so a document never shows half of a write.
 */
import type {
  CommandRecord,
  DecisionRecord,
  RunDocument,
  RunRecord,
  TaskRecord,
  VisitRecord,
} from '../definitions/records.ts';
import { runDocument } from '../definitions/run-document.ts';
import type { RunState } from '../definitions/types.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from './database.ts';
import { type KeyTurn, turnOf, turnRecord } from './key-turn.ts';
import type { AttemptsTable, CommandsTable, EmittedTable, RunsTable, VisitsTable, WaitsTable } from './tables.ts';

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
type EmittedRow = InJson<Selectable<EmittedTable>>;
type AttemptRow = InJson<Selectable<AttemptsTable>>;

interface RunRows extends Selectable<RunsTable> {
  readonly turn: KeyTurn | null;
  readonly visits: readonly VisitRow[];
  readonly commands: readonly CommandRow[];
  readonly waits: readonly WaitRow[];
  readonly attempts: readonly AttemptRow[];
  readonly emitted: readonly EmittedRow[];
  /** Decisions and what else was done with approvals. */
  readonly audit: readonly (DecisionRecord | TaskRecord)[];
  /** States of the runs that it began, by run id. */
  readonly children: { readonly [runId: string]: RunState };
}

/** The document of a run, or `null` where nothing is known of it. */
export async function loadRunDocument(db: Database, key: RunKey): Promise<RunDocument | null> {
  const { rows } = await sql<RunRows>`
    select run.*, ${turnOf} as turn, ${rowsOf('visits')}, ${rowsOf('commands')}, ${rowsOf('waits')}, ${rowsOf('attempts')},
      ${rowsOf('emitted')}, ${AUDIT}, ${CHILDREN}
    from fermata.runs as run where run.tenant = ${key.tenant} and run.run_id = ${key.runId}`.execute(db);
  return rows[0] === undefined ? null : foldRun(rows[0]);
}

function rowsOf(table: 'visits' | 'commands' | 'waits' | 'attempts' | 'emitted'): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(row), '[]') from ${sql.table(`fermata.${table}`)} as row
    where row.tenant = run.tenant and row.run_id = run.run_id) as ${sql.ref(table)}`;
}

/** Of what happened in the same millisecond, decisions come last: with one of them a task is over. */
const AUDIT = sql`(select coalesce(json_agg(line.record order by line.handled_at, line.rank, line.position), '[]') from (
    select task.record, task.handled_at, 0 as rank, task.position from fermata.task_records as task
    where task.tenant = run.tenant and task.run_id = run.run_id
    union all select decision.record, decision.handled_at, 1, decision.position
    from fermata.decisions as decision where decision.tenant = run.tenant and decision.run_id = run.run_id
  ) as line) as audit`;

const CHILDREN = sql`(select coalesce(json_object_agg(child.run_id, child.state), '{}')
  from fermata.runs as child where child.tenant = run.tenant and child.run_id in (
    select wait.waiting->'child'->>'runId' from fermata.waits as wait
    where wait.tenant = run.tenant and wait.run_id = run.run_id and wait.kind = 'workflow')) as children`;

function foldRun(run: RunRows): RunDocument {
  const header = {
    runId: run.run_id,
    definitionId: run.definition_id,
    version: run.version,
    startedAt: (run.started_at ?? run.created_at).getTime(),
    vars: run.vars ?? {},
    ...(run.key === null ? {} : { key: run.key }),
    attempts: new Map(run.attempts.map((row) => [row.command_id, row.attempts])),
    initiator: run.initiator,
    children: new Map(Object.entries(run.children).map(([runId, state]) => [runId, { state }])),
  };
  const ended = new Set(run.visits.filter((visit) => visit.outcome !== null).map((visit) => visit.seq));
  return runDocument(header, [
    stateRecord(run),
    ...(run.turn === null ? [] : [turnRecord(run.turn)]),
    ...run.visits.map(visitRecord),
    ...run.commands.map(commandRecord),
    ...run.waits.map((wait) => waitRecord(wait, wait.open && !ended.has(wait.seq))),
    ...run.audit,
    ...run.emitted.map(({ seq, emitted }): RunRecord => ({ kind: 'emit', seq, emitted })),
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

function waitRecord(row: WaitRow, open: boolean): RunRecord {
  return { kind: 'wait', seq: row.seq, open, waiting: row.waiting };
}
