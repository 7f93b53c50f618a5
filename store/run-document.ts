/**
 * Reads a run back from its rows: the records, and the document that `definitions/run-document.ts` folds from them.
 *
 * Invariant: all rows of a run are read from one snapshot, so a document never shows half of a write.
 */
import type { CommandRecord, RunDocument, RunRecord, VisitRecord } from '../definitions/records.ts';
import { runDocument } from '../definitions/run-document.ts';
import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from './database.ts';
import type { CommandsTable, RunsTable, VisitsTable, WaitsTable } from './tables.ts';

export interface RunKey {
  readonly tenant: string;
  readonly runId: string;
}

/** The document of a run, or `null` where nothing is known of it. */
export async function loadRunDocument(db: Database, key: RunKey): Promise<RunDocument | null> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const run = await trx
        .selectFrom('fermata.runs')
        .selectAll()
        .where('tenant', '=', key.tenant)
        .where('run_id', '=', key.runId)
        .executeTakeFirst();
      return run === undefined ? null : await foldRun(trx, key, run);
    });
}

async function foldRun(trx: DatabaseTransaction, key: RunKey, run: Selectable<RunsTable>): Promise<RunDocument> {
  const ofRun = { tenant: key.tenant, run_id: key.runId };
  const visits = await trx
    .selectFrom('fermata.visits')
    .selectAll()
    .where((eb) => eb.and(ofRun))
    .execute();
  const commands = await trx
    .selectFrom('fermata.commands')
    .selectAll()
    .where((eb) => eb.and(ofRun))
    .execute();
  const attempts = await trx
    .selectFrom('fermata.attempts')
    .selectAll()
    .where((eb) => eb.and(ofRun))
    .execute();
  const waits = await trx
    .selectFrom('fermata.waits')
    .selectAll()
    .where((eb) => eb.and({ ...ofRun, open: true }))
    .execute();
  const header = {
    runId: run.run_id,
    definitionId: run.definition_id,
    version: run.version,
    startedAt: (run.started_at ?? run.created_at).getTime(),
    vars: run.vars ?? {},
    attempts: new Map(attempts.map((row) => [row.command_id, row.attempts])),
  };
  const ended = new Set(visits.filter((visit) => visit.outcome !== null).map((visit) => visit.seq));
  return runDocument(header, [
    stateRecord(run),
    ...visits.map(visitRecord),
    ...commands.map(commandRecord),
    ...waits.filter((wait) => !ended.has(wait.seq)).map(waitRecord),
  ]);
}

function stateRecord(run: Selectable<RunsTable>): RunRecord {
  return { kind: 'state', state: run.state, at: run.state_at.getTime(), output: run.output, error: run.error };
}

function visitRecord(row: Selectable<VisitsTable>): VisitRecord {
  return {
    kind: 'visit',
    seq: row.seq,
    nodeId: row.node_id,
    path: row.path,
    visit: row.visit,
    type: row.type,
    outcome: row.outcome,
    startedAt: row.started_at.getTime(),
    finishedAt: row.finished_at?.getTime() ?? null,
    error: row.error,
  };
}

function commandRecord(row: Selectable<CommandsTable>): CommandRecord {
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
    orderedAt: row.ordered_at.getTime(),
    finishedAt: row.finished_at?.getTime() ?? null,
    undoes: row.undoes,
  };
}

function waitRecord(row: Selectable<WaitsTable>): RunRecord {
  return { kind: 'wait', seq: row.seq, open: true, waiting: row.waiting };
}
