/**
 * The run document: the records of a run folded into the one shape that `fermata runs show --json` and
 * `fermata simulate --json` print.
 *
 * What it is not: a source of facts. Everything but the header comes from the records.
 *
 * Invariants:
 * 1. The order of the records does not matter beyond "a later record of the same `seq` replaces the earlier one".
 * 2. `trace` is in order of visit start, `commands` in the order in which they were given.
 * 3. A command whose undo succeeded is `rolled_back`.
 */
import type { ErrorInfo } from './errors.ts';
import type {
  AuditEntry,
  ChildEntry,
  CommandRecord,
  DecisionRecord,
  EmittedEvent,
  RunDocument,
  RunRecord,
  StateRecord,
  TaskRecord,
  VisitRecord,
  Waiting,
} from './records.ts';
import { compareText } from './text-order.ts';
import { isoTime } from './timestamps.ts';
import type { Initiator, Json, RunState } from './types.ts';

/** What the records of a run do not say. */
export interface RunDocumentHeader {
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The key that no other open run of its definition has, as pages show it; absent: it needs none. */
  readonly key?: string;
  /** Variables of a run that is still open; a closed one has told its own. */
  readonly vars: { readonly [name: string]: Json };
  /** Attempts by command id; a command that is not in it is taken to have had one. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Who began it; a run is its parent. */
  readonly initiator?: Initiator | null;
  /** What is known of the runs that it began, by run id. */
  readonly children?: ReadonlyMap<string, Pick<ChildEntry, 'state' | 'run'>>;
}

/** Folds the records of one run, oldest first. */
export function runDocument(header: RunDocumentHeader, records: Iterable<RunRecord>): RunDocument {
  const story = readStory(records);
  const isOpen = story.state === 'pending' || story.state === 'running' || story.state === 'paused';
  const rolledBack = new Set<string>();
  for (const { undoes, state } of story.commands.values()) {
    if (undoes !== null && state === 'success') rolledBack.add(undoes);
  }
  return {
    runId: header.runId,
    definitionId: header.definitionId,
    version: header.version,
    ...(header.key === undefined ? {} : { key: header.key }),
    state: story.state,
    output: story.output,
    error: story.error,
    startedAt: isoTime(header.startedAt),
    completedAt: isOpen ? null : isoOrNull(story.changedAt),
    trace: inOrder(story.visits).map((visit) => traceEntry(visit, story.took.get(visit.seq))),
    commands: inOrder(story.commands).map((record) => commandEntry(record, header.attempts, rolledBack)),
    waiting: isOpen ? inOrder(story.waiting).map(waitingEntry) : [],
    vars: story.vars ?? header.vars,
    ...(story.emitted.size === 0 ? {} : { emitted: inOrder(story.emitted).map(emittedEntry) }),
    ...(story.audit.size === 0 ? {} : { audit: [...story.audit.values()].sort(byTime).map(auditEntry) }),
    ...(header.initiator?.kind === 'run' ? { parent: header.initiator.id } : {}),
    ...(story.begun.size === 0 ? {} : { children: inOrder(story.begun).map((wait) => childEntry(wait, header)) }),
  };
}

interface Story {
  state: RunState;
  output: Json;
  error: ErrorInfo | null;
  changedAt: number | null;
  vars: RunDocument['vars'] | null;
  readonly visits: Map<number, VisitRecord>;
  readonly commands: Map<number, CommandRecord>;
  readonly waiting: Map<number, Waiting>;
  readonly emitted: Map<number, EmittedEvent>;
  /** By their text: what is told twice is one line, here as in the rows of the store. */
  readonly audit: Map<string, DecisionRecord | TaskRecord>;
  /** Id of the event that a visit took. */
  readonly took: Map<number, string>;
  /** Waits of visits that began a run. */
  readonly begun: Map<number, BeginningWait>;
}

type BeginningWait = Waiting & Required<Pick<Waiting, 'child'>>;

function emptyStory(): Story {
  return {
    state: 'pending',
    output: null,
    error: null,
    changedAt: null,
    vars: null,
    visits: new Map(),
    commands: new Map(),
    waiting: new Map(),
    emitted: new Map(),
    audit: new Map(),
    took: new Map(),
    begun: new Map(),
  };
}

function readStory(records: Iterable<RunRecord>): Story {
  const story = emptyStory();
  for (const record of records) {
    switch (record.kind) {
      case 'state':
        readState(story, record);
        break;
      case 'visit':
        story.visits.set(record.seq, record);
        break;
      case 'command':
        story.commands.set(record.seq, record);
        break;
      case 'wait':
        if (record.open) story.waiting.set(record.seq, record.waiting);
        else story.waiting.delete(record.seq);
        if (record.waiting.event?.took) story.took.set(record.seq, record.waiting.event.took);
        if (beginsRun(record.waiting)) story.begun.set(record.seq, record.waiting);
        break;
      case 'emit':
        story.emitted.set(record.seq, record.emitted);
        break;
      case 'decision':
      case 'task':
        story.audit.set(JSON.stringify(record), record);
        break;
    }
  }
  return story;
}

function readState(story: Story, record: StateRecord): void {
  story.state = record.state;
  story.changedAt = record.at;
  story.output = record.output ?? null;
  story.error = record.error ?? null;
  story.vars = record.vars ?? null;
}

function inOrder<T>(bySeq: ReadonlyMap<number, T>): T[] {
  return [...bySeq].sort(([one], [other]) => one - other).map(([, value]) => value);
}

function traceEntry(record: VisitRecord, took: string | undefined): RunDocument['trace'][number] {
  return {
    nodeId: record.nodeId,
    path: record.path,
    visit: record.visit,
    type: record.type,
    outcome: record.outcome,
    startedAt: isoTime(record.startedAt),
    finishedAt: isoOrNull(record.finishedAt),
    error: record.error,
    ...(took === undefined ? {} : { eventId: took }),
  };
}

function emittedEntry({ at, ...event }: EmittedEvent): NonNullable<RunDocument['emitted']>[number] {
  return { ...event, at: isoTime(at) };
}

/**
 * What happens to several tasks at the same moment has no order of its own. Of one task a decision comes last: with it
 * the task may be over.
 */
function byTime(one: DecisionRecord | TaskRecord, other: DecisionRecord | TaskRecord): number {
  const rank = ({ kind }: DecisionRecord | TaskRecord): number => (kind === 'decision' ? 1 : 0);
  return (
    one.handledAt - other.handledAt || compareText(one.taskId ?? '', other.taskId ?? '') || rank(one) - rank(other)
  );
}

function auditEntry(record: DecisionRecord | TaskRecord): AuditEntry {
  const { taskId, nodeId, by, comment, at, handledAt, door = null, refusal } = record;
  const shared = { taskId, nodeId, by, comment, at, handledAt: isoTime(handledAt), door, refusal };
  if (record.kind === 'task') {
    return { ...shared, action: record.action, ...(record.to.length === 0 ? {} : { to: record.to }) };
  }
  const { outcome, data, subject } = record;
  return { ...shared, action: 'decide', outcome, data, ...(subject === undefined ? {} : { subject }) };
}

function commandEntry(
  record: CommandRecord,
  attempts: ReadonlyMap<string, number>,
  rolledBack: ReadonlySet<string>,
): RunDocument['commands'][number] {
  return {
    commandId: record.commandId,
    nodeId: record.nodeId,
    command: {
      type: record.type,
      id: record.commandId,
      payload: record.payload,
      timestamp: isoTime(record.orderedAt),
      version: record.version,
    },
    state: rolledBack.has(record.commandId) ? 'rolled_back' : record.state,
    attempts: attempts.get(record.commandId) ?? 1,
    result: record.result,
    error: record.error,
    executedAt: isoOrNull(record.finishedAt),
    ...(record.undoes === null ? {} : { undoes: record.undoes }),
  };
}

function waitingEntry(waiting: Waiting): RunDocument['waiting'][number] {
  return {
    nodeId: waiting.nodeId,
    kind: waiting.kind,
    since: isoTime(waiting.since),
    until: isoOrNull(waiting.until),
    for: waiting.for,
  };
}

function beginsRun(waiting: Waiting): waiting is BeginningWait {
  return waiting.child !== undefined;
}

function childEntry({ nodeId, child }: BeginningWait, { children }: RunDocumentHeader): ChildEntry {
  return { nodeId, ...child, state: null, ...children?.get(child.runId) };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
