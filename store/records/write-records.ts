/**
 * Writes rows of records in one statement and one round trip.
 *
 * Invariants:
 * 1. Any order, any repetition: a row only ever moves to a later record (`order.ts` says which of two is later).
 * 2. All or nothing: the statement is its own transaction. The rows of the runs are locked first, in one order.
 * 3. It does not wait for the disk. What a crash of PostgreSQL takes away is seen by the reconciler, since rows of a run
 *    that are missing make its counts differ, and a lost closing record leaves the run open and quiet.
 */
import { type RawBuilder, sql } from 'kysely';
import { COMMIT_MODE } from '../commit-mode.ts';
import type { Database } from '../database.ts';
import type { RecordRows } from './rows.ts';

export async function writeRows(db: Database, rows: RecordRows): Promise<void> {
  if (rows.runs.length === 0) return;
  const parts = [
    rows.visits.length > 0 && sql`visits as (${visits(rows)})`,
    rows.commands.length > 0 && sql`commands as (${commands(rows)})`,
    rows.waits.length > 0 && sql`waits as (${waits(rows)})`,
    rows.decisions.length > 0 && sql`decisions as (${decisions(rows)})`,
    rows.tasks.length > 0 && sql`tasks as (${tasks(rows)})`,
    rows.emitted.length > 0 && sql`emitted as (${emitted(rows)})`,
    rows.eventWaits.length > 0 && sql`event_waits as (${eventWaits(rows)})`,
    rows.ended.length > 0 && sql`ended_waits as (${endedWaits(rows)})`,
  ].filter((part) => part !== false);
  await sql`with ${sql.join([COMMIT_MODE, ...parts])} ${runs(rows)}`.execute(db);
}

/** They belong together: they come from one record. */
const STATE_COLUMNS = [
  'state',
  'state_at',
  'output',
  'error',
  'expected_visits',
  'expected_commands',
  'completed_at',
] as const;

/** As `laterState`. */
const STATE_IS_LATER = sql`(excluded.state_at > run.state_at or (excluded.state_at = run.state_at
  and (run.expected_visits is null or excluded.expected_visits is not null)))`;

function ofLaterState(column: string): RawBuilder<unknown> {
  return sql`case when ${STATE_IS_LATER} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`run.${column}`)} end`;
}

function runs(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.runs as run (tenant, run_id, definition_id, version, hash, state, state_at, output, error,
      expected_visits, expected_commands, completed_at, vars, input, event_id, initiator, entity_type, entity_id,
      temporal_run_id, started_at)
    select tenant, run_id, definition_id, version, hash, coalesce(state, 'running'), coalesce(state_at, to_timestamp(0)),
      output::json, error::json, expected_visits, expected_commands,
      case when expected_visits is not null then state_at end, vars::json, input::json, event_id, initiator::json,
      entity_type, entity_id, temporal_run_id, started_at
    from commit_mode, json_to_recordset(${JSON.stringify(rows.runs)}::json) as row(tenant text, run_id text,
      definition_id text, version integer, hash text, state text, state_at timestamptz, output text, error text,
      expected_visits integer, expected_commands integer, vars text, input text, event_id text, initiator text,
      entity_type text, entity_id text, temporal_run_id text, started_at timestamptz)
    on conflict (tenant, run_id) do update set
      ${sql.join(STATE_COLUMNS.map((column) => sql`${sql.ref(column)} = ${ofLaterState(column)}`))},
      whole_at = case when ${STATE_IS_LATER} then null else run.whole_at end,
      version = coalesce(run.version, excluded.version),
      hash = coalesce(run.hash, excluded.hash),
      vars = coalesce(excluded.vars, run.vars),
      input = coalesce(run.input, excluded.input),
      event_id = coalesce(run.event_id, excluded.event_id),
      initiator = coalesce(run.initiator, excluded.initiator),
      entity_type = coalesce(run.entity_type, excluded.entity_type),
      entity_id = coalesce(run.entity_id, excluded.entity_id),
      temporal_run_id = coalesce(run.temporal_run_id, excluded.temporal_run_id),
      started_at = coalesce(run.started_at, excluded.started_at),
      recorded_at = clock_timestamp()`;
}

function visits(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.visits as visit (tenant, run_id, seq, node_id, path, visit, type, outcome, started_at,
      finished_at, error)
    select tenant, run_id, seq, node_id, path, visit, type, outcome, started_at, finished_at, error::json
    from json_to_recordset(${JSON.stringify(rows.visits)}::json) as row(tenant text, run_id text, seq integer,
      node_id text, path text, visit integer, type text, outcome text, started_at timestamptz, finished_at timestamptz,
      error text)
    on conflict (tenant, run_id, seq) do update set
      node_id = excluded.node_id, path = excluded.path, visit = excluded.visit, type = excluded.type,
      outcome = excluded.outcome, started_at = excluded.started_at, finished_at = excluded.finished_at,
      error = excluded.error
    where coalesce(excluded.finished_at, '-infinity') >= coalesce(visit.finished_at, '-infinity')`;
}

function commands(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.commands as command (tenant, run_id, seq, command_id, node_id, type, handler_version, payload,
      state, state_rank, result, error, ordered_at, finished_at, undoes)
    select tenant, run_id, seq, command_id, node_id, type, handler_version, payload::json, state, state_rank,
      result::json, error::json, ordered_at, finished_at, undoes
    from json_to_recordset(${JSON.stringify(rows.commands)}::json) as row(tenant text, run_id text, seq integer,
      command_id text, node_id text, type text, handler_version integer, payload text, state text, state_rank smallint,
      result text, error text, ordered_at timestamptz, finished_at timestamptz, undoes text)
    on conflict (tenant, run_id, seq) do update set
      command_id = excluded.command_id, node_id = excluded.node_id, type = excluded.type,
      handler_version = excluded.handler_version, payload = excluded.payload, state = excluded.state,
      state_rank = excluded.state_rank, result = excluded.result, error = excluded.error,
      ordered_at = excluded.ordered_at, finished_at = excluded.finished_at, undoes = excluded.undoes
    where (excluded.state_rank, coalesce(excluded.finished_at, '-infinity'))
      >= (command.state_rank, coalesce(command.finished_at, '-infinity'))`;
}

function waits(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.waits as wait (tenant, run_id, seq, definition_id, node_id, kind, since, until, open, waiting,
      task_id, users, roles, queues)
    select tenant, run_id, seq, definition_id, node_id, kind, since, until, open, waiting::json, task_id,
      array(select json_array_elements_text(users)), array(select json_array_elements_text(roles)),
      array(select json_array_elements_text(queues))
    from json_to_recordset(${JSON.stringify(rows.waits)}::json) as row(tenant text, run_id text, seq integer,
      definition_id text, node_id text, kind text, since timestamptz, until timestamptz, open boolean, waiting text,
      task_id text, users json, roles json, queues json)
    on conflict (tenant, run_id, seq) do update set
      node_id = excluded.node_id, kind = excluded.kind, since = excluded.since, until = excluded.until,
      open = excluded.open, waiting = excluded.waiting, task_id = excluded.task_id, users = excluded.users,
      roles = excluded.roles, queues = excluded.queues
    where (excluded.since, not excluded.open) >= (wait.since, not wait.open)`;
}

function decisions(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.decisions (tenant, run_id, digest, task_id, node_id, by_id, counted, handled_at, record)
    select tenant, run_id, digest, task_id, node_id, by_id, counted, handled_at, record::json
    from json_to_recordset(${JSON.stringify(rows.decisions)}::json) as row(tenant text, run_id text, digest text,
      task_id text, node_id text, by_id text, counted boolean, handled_at timestamptz, record text)
    on conflict (tenant, run_id, digest) do nothing`;
}

function tasks(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.task_records (tenant, run_id, digest, task_id, handled_at, record)
    select tenant, run_id, digest, task_id, handled_at, record::json
    from json_to_recordset(${JSON.stringify(rows.tasks)}::json) as row(tenant text, run_id text, digest text,
      task_id text, handled_at timestamptz, record text)
    on conflict (tenant, run_id, digest) do nothing`;
}

function emitted(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    insert into fermata.emitted (tenant, run_id, seq, emitted)
    select tenant, run_id, seq, emitted::json
    from json_to_recordset(${JSON.stringify(rows.emitted)}::json) as row(tenant text, run_id text, seq integer,
      emitted text)
    on conflict (tenant, run_id, seq) do nothing`;
}

function eventWaits(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    update fermata.event_waits as wait set missed = row.missed::json, took = coalesce(wait.took, row.took),
      closed_at = coalesce(wait.closed_at, case when not row.open then clock_timestamp() end)
    from json_to_recordset(${JSON.stringify(rows.eventWaits)}::json) as row(tenant text, run_id text, wait_id text,
      open boolean, took text, missed text)
    where wait.tenant = row.tenant and wait.wait_id = row.wait_id`;
}

/** Not those that a record of their own speaks of: a statement changes a row once. */
function endedWaits(rows: RecordRows): RawBuilder<unknown> {
  return sql`
    update fermata.event_waits as wait set closed_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows.ended)}::json) as row(tenant text, run_id text)
    where wait.tenant = row.tenant and wait.run_id = row.run_id and wait.closed_at is null
      and wait.wait_id <> all(${rows.eventWaits.map((row) => String(row['wait_id']))}::text[])`;
}
