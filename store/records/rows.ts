/**
 * Records as rows: one row per thing, the latest record of each, sorted so that concurrent writers never wait in a ring.
 */
import type {
  CommandRecord,
  DecisionRecord,
  EmittedEvent,
  RunRecord,
  StateRecord,
  TaskRecord,
  VisitRecord,
  WaitRecord,
} from '../../definitions/records.ts';
import type { Json } from '../../definitions/types.ts';
import { sha256 } from '../definition-hash.ts';
import type { RecordBatch, RunStartFacts } from './batch.ts';
import { indexText } from './index-text.ts';
import { COMMAND_RANK, laterCommand, laterState, laterVisit, laterWait } from './order.ts';

/** A row as it travels: JSON, with `json` columns as text inside. */
type Row = { readonly [column: string]: string | number | boolean | null | readonly string[] };

export interface RecordRows {
  readonly runs: readonly Row[];
  readonly visits: readonly Row[];
  readonly commands: readonly Row[];
  readonly waits: readonly Row[];
  readonly decisions: readonly Row[];
  readonly tasks: readonly Row[];
  readonly emitted: readonly Row[];
  /** What is told of waits for events; their rows were made when the waits were registered. */
  readonly eventWaits: readonly Row[];
  /** Runs that are over, whose waits for events are too. */
  readonly ended: readonly Row[];
}

/** What the batches say of one run. */
interface RunStory {
  readonly tenant: string;
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  start: RunStartFacts | null;
  vars: { readonly [name: string]: Json } | null;
  state: StateRecord | null;
  readonly visits: Map<number, VisitRecord>;
  readonly commands: Map<number, CommandRecord>;
  readonly waits: Map<number, WaitRecord>;
  readonly decisions: Map<string, DecisionRecord>;
  readonly tasks: Map<string, TaskRecord>;
  readonly emitted: Map<number, EmittedEvent>;
}

export function toRows(batches: readonly RecordBatch[]): RecordRows {
  const stories = [...collect(batches).values()].sort(byRun);
  return {
    runs: stories.map(runRow),
    visits: stories.flatMap((story) => bySeq(story.visits).map((record) => visitRow(story, record))),
    commands: stories.flatMap((story) => bySeq(story.commands).map((record) => commandRow(story, record))),
    waits: stories.flatMap((story) => bySeq(story.waits).map((record) => waitRow(story, record))),
    decisions: stories.flatMap((story) =>
      [...story.decisions].map(([digest, record]) => decisionRow(story, digest, record)),
    ),
    tasks: stories.flatMap((story) => [...story.tasks].map(([digest, record]) => taskRow(story, digest, record))),
    emitted: stories.flatMap((story) => [...story.emitted].map(([seq, emitted]) => emittedRow(story, seq, emitted))),
    eventWaits: stories.flatMap((story) => bySeq(story.waits).flatMap((record) => eventWaitRow(story, record))),
    ended: stories.flatMap(({ tenant, runId, state }) => (state?.counts ? [{ tenant, run_id: runId }] : [])),
  };
}

function collect(batches: readonly RecordBatch[]): Map<string, RunStory> {
  const stories = new Map<string, RunStory>();
  for (const batch of batches) {
    const key = JSON.stringify([batch.tenant, batch.runId]);
    const story = stories.get(key) ?? emptyStory(batch);
    stories.set(key, story);
    story.start = batch.start ?? story.start;
    story.vars = batch.vars ?? story.vars;
    for (const record of batch.records) addRecord(story, record);
  }
  return stories;
}

function emptyStory(batch: RecordBatch): RunStory {
  const { tenant, runId, definitionId, version } = batch;
  return {
    tenant,
    runId,
    definitionId,
    version,
    start: null,
    vars: null,
    state: null,
    visits: new Map(),
    commands: new Map(),
    waits: new Map(),
    decisions: new Map(),
    tasks: new Map(),
    emitted: new Map(),
  };
}

function addRecord(story: RunStory, record: RunRecord): void {
  switch (record.kind) {
    case 'state':
      story.state = story.state === null ? record : laterState(story.state, record);
      break;
    case 'visit':
      keepLater(story.visits, record, laterVisit);
      break;
    case 'command':
      keepLater(story.commands, record, laterCommand);
      break;
    case 'wait':
      keepLater(story.waits, record, laterWait);
      break;
    case 'decision':
      story.decisions.set(decisionDigest(record), record);
      break;
    case 'task':
      story.tasks.set(taskDigest(record), record);
      break;
    case 'emit':
      story.emitted.set(record.seq, record.emitted);
      break;
  }
}

function keepLater<T extends { readonly seq: number }>(
  known: Map<number, T>,
  record: T,
  later: (known: T, next: T) => T,
): void {
  const before = known.get(record.seq);
  known.set(record.seq, before === undefined ? record : later(before, record));
}

/** Decisions have no number; what makes one itself is who said what where, and when it was handled. */
function decisionDigest(record: DecisionRecord): string {
  const { taskId, nodeId, by, outcome, at, handledAt, refusal } = record;
  return sha256(JSON.stringify([taskId, nodeId, by.id, outcome, at, handledAt, refusal?.code ?? null]));
}

function taskDigest({ taskId, nodeId, action, by, to, comment, at, handledAt, refusal }: TaskRecord): string {
  const what = [taskId, nodeId, action, by?.id ?? null, to, comment, at, handledAt, refusal?.code ?? null];
  return sha256(JSON.stringify(what));
}

function byRun(one: RunStory, other: RunStory): number {
  return compare(one.tenant, other.tenant) || compare(one.runId, other.runId);
}

function bySeq<T extends { readonly seq: number }>(records: ReadonlyMap<number, T>): T[] {
  return [...records.values()].sort((one, other) => one.seq - other.seq);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function runRow(story: RunStory): Row {
  const { start, state } = story;
  return {
    tenant: story.tenant,
    run_id: story.runId,
    definition_id: story.definitionId,
    version: story.version,
    hash: start?.hash ?? null,
    state: state?.state ?? null,
    state_at: state === null ? null : iso(state.at),
    output: state === null ? null : jsonOrNull(state.output),
    error: state === null ? null : jsonOrNull(state.error),
    expected_visits: state?.counts?.visits ?? null,
    expected_commands: state?.counts?.commands ?? null,
    vars: story.vars === null ? null : JSON.stringify(story.vars),
    input: start === null ? null : JSON.stringify(start.input),
    event_id: start?.eventId ?? null,
    initiator: start === null ? null : JSON.stringify(start.initiator),
    entity_type: start?.entity ? indexText(start.entity.type) : null,
    entity_id: start?.entity ? indexText(start.entity.id) : null,
    temporal_run_id: start?.temporalRunId ?? null,
    started_at: start === null ? null : iso(start.startedAt),
  };
}

function visitRow(story: RunStory, record: VisitRecord): Row {
  return {
    tenant: story.tenant,
    run_id: story.runId,
    seq: record.seq,
    node_id: record.nodeId,
    path: record.path,
    visit: record.visit,
    type: record.type,
    outcome: record.outcome,
    started_at: iso(record.startedAt),
    finished_at: isoOrNull(record.finishedAt),
    error: jsonOrNull(record.error),
  };
}

function commandRow(story: RunStory, record: CommandRecord): Row {
  return {
    tenant: story.tenant,
    run_id: story.runId,
    seq: record.seq,
    command_id: record.commandId,
    node_id: record.nodeId,
    type: record.type,
    handler_version: record.version,
    payload: JSON.stringify(record.payload),
    state: record.state,
    state_rank: COMMAND_RANK[record.state],
    result: jsonOrNull(record.result),
    error: jsonOrNull(record.error),
    ordered_at: iso(record.orderedAt),
    finished_at: isoOrNull(record.finishedAt),
    undoes: record.undoes,
  };
}

function waitRow(story: RunStory, record: WaitRecord): Row {
  const { waiting } = record;
  const assignees = waiting.task?.assignees;
  return {
    tenant: story.tenant,
    run_id: story.runId,
    seq: record.seq,
    definition_id: story.definitionId,
    node_id: waiting.nodeId,
    kind: waiting.kind,
    since: iso(waiting.since),
    until: isoOrNull(waiting.until),
    open: record.open,
    waiting: JSON.stringify(waiting),
    task_id: waiting.task?.taskId ?? null,
    users: (assignees?.users ?? []).map(indexText),
    roles: (assignees?.roles ?? []).map(indexText),
    queues: (assignees?.queues ?? []).map(indexText),
  };
}

function emittedRow({ tenant, runId }: RunStory, seq: number, emitted: EmittedEvent): Row {
  return { tenant, run_id: runId, seq, emitted: JSON.stringify(emitted) };
}

function eventWaitRow({ tenant, runId }: RunStory, { open, waiting: { event } }: WaitRecord): Row[] {
  if (event === undefined) return [];
  const { waitId, took, missed } = event;
  return [{ tenant, run_id: runId, wait_id: waitId, open, took, missed: JSON.stringify(missed) }];
}

function decisionRow(story: RunStory, digest: string, record: DecisionRecord): Row {
  return {
    tenant: story.tenant,
    run_id: story.runId,
    digest,
    task_id: record.taskId,
    node_id: indexText(record.nodeId),
    by_id: indexText(record.by.id),
    counted: record.refusal === null,
    handled_at: iso(record.handledAt),
    record: JSON.stringify(record),
  };
}

function taskRow({ tenant, runId }: RunStory, digest: string, record: TaskRecord): Row {
  const { taskId, handledAt } = record;
  return { tenant, run_id: runId, digest, task_id: taskId, handled_at: iso(handledAt), record: JSON.stringify(record) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
