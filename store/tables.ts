/**
 * The tables of the schema `fermata`, as Kysely sees them. What they mean and why: `migrations/`.
 *
 * Invariants:
 * 1. `tenant` is the first part of every key.
 * 2. `json` columns keep order and bytes of what was written; they are written as text and read as values.
 * 3. Times are `timestamptz(3)`: milliseconds, so that a JavaScript `Date` holds them whole.
 */
import type { ColumnType, Generated } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { HandlerEntry } from '../definitions/handler-catalog.ts';
import type {
  Decision,
  DecisionRecord,
  EmittedEvent,
  MissedEvent,
  TaskRecord,
  Waiting,
} from '../definitions/records.ts';
import type {
  CloudEvent,
  CommandState,
  EventTrigger,
  HandlerBindings,
  Initiator,
  Json,
  KeyPolicy,
  NodeType,
  RunState,
} from '../definitions/types.ts';

/** Written as JSON text, read as the value. */
export type JsonColumn<T> = ColumnType<T, string, string>;
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Time = ColumnType<Date, Date | undefined, Date>;
type TimeOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface Tables {
  'fermata.definitions': DefinitionsTable;
  'fermata.definition_versions': DefinitionVersionsTable;
  'fermata.definition_revisions': DefinitionRevisionsTable;
  'fermata.events': EventsTable;
  'fermata.deliveries': DeliveriesTable;
  'fermata.runs': RunsTable;
  'fermata.run_keys': RunKeysTable;
  'fermata.visits': VisitsTable;
  'fermata.commands': CommandsTable;
  'fermata.attempts': AttemptsTable;
  'fermata.waits': WaitsTable;
  'fermata.emitted': EmittedTable;
  'fermata.event_waits': EventWaitsTable;
  'fermata.event_wait_paths': EventWaitPathsTable;
  'fermata.event_keys': EventKeysTable;
  'fermata.wait_deliveries': WaitDeliveriesTable;
  'fermata.decisions': DecisionsTable;
  'fermata.task_records': TaskRecordsTable;
  'fermata.decision_outbox': DecisionOutboxTable;
  'fermata.handlers': HandlersTable;
  'fermata.calendar_versions': CalendarVersionsTable;
  'fermata.kept_values': KeptValuesTable;
}

export interface DefinitionsTable {
  tenant: string;
  id: string;
  enabled: boolean;
  active_version: number | null;
  /** Of the last change; unique and ascending in the tenant. */
  revision: Generated<number>;
  created_at: Time;
  updated_at: Time;
}

export interface DefinitionRevisionsTable {
  tenant: string;
  /** Of the tenant's last change of a definition. */
  revision: number;
}

export interface DefinitionVersionsTable {
  tenant: string;
  id: string;
  version: number;
  hash: string;
  document: string;
  name: string | null;
  triggers: JsonColumn<readonly EventTrigger[]>;
  enabled: boolean;
  bindings: JsonColumn<HandlerBindings>;
  created_at: Time;
}

export interface EventsTable {
  tenant: string;
  id: string;
  type: string;
  content_hash: string;
  given_time: string | null;
  body: JsonColumn<CloudEvent>;
  unmatched: JsonColumn<readonly Unmatched[]>;
  task_queue: string | null;
  accepted_at: Time;
  lease_until: Time;
  done_at: TimeOrNull;
}

/** A subscribed definition that an event did not start, and the first filter that did not hold. */
export interface Unmatched {
  readonly definitionId: string;
  readonly version: number;
  readonly reason: Json;
}

export interface DeliveriesTable {
  tenant: string;
  event_id: string;
  definition_id: string;
  version: number;
  run_id: string | null;
  status: 'pending' | 'started' | 'refused' | 'queued' | 'joined';
  error: JsonOrNull<ErrorInfo>;
  settled_at: TimeOrNull;
}

export interface RunsTable {
  tenant: string;
  run_id: string;
  definition_id: string;
  version: number | null;
  hash: string | null;
  state: RunState;
  state_at: Time;
  input: JsonOrNull<Json>;
  output: JsonOrNull<Json>;
  error: JsonOrNull<ErrorInfo>;
  vars: JsonOrNull<{ readonly [name: string]: Json }>;
  event_id: string | null;
  initiator: JsonOrNull<Initiator>;
  entity_type: string | null;
  entity_id: string | null;
  temporal_run_id: string | null;
  created_at: Time;
  started_at: TimeOrNull;
  completed_at: TimeOrNull;
  expected_visits: number | null;
  expected_commands: number | null;
  recorded_at: Time;
  checked_at: TimeOrNull;
  check_after: TimeOrNull;
  whole_at: TimeOrNull;
  key: Generated<string | null>;
}

/** A run that has a key, or waits for it; gone when the run has ended. */
export interface RunKeysTable {
  tenant: string;
  run_id: string;
  definition_id: string;
  key: string;
  place: Generated<string>;
  on_conflict: KeyPolicy;
  task_queue: string | null;
  holds: boolean;
  since: Time;
  begun_at: TimeOrNull;
  cancelled_at: TimeOrNull;
  look_at: TimeOrNull;
}

export interface VisitsTable {
  tenant: string;
  run_id: string;
  seq: number;
  node_id: string;
  path: string;
  visit: number;
  type: NodeType;
  outcome: string | null;
  started_at: Time;
  finished_at: TimeOrNull;
  error: JsonOrNull<ErrorInfo>;
}

export interface CommandsTable {
  tenant: string;
  run_id: string;
  seq: number;
  command_id: string;
  node_id: string;
  type: string;
  handler_version: number;
  payload: JsonColumn<Json>;
  state: CommandState;
  state_rank: number;
  result: JsonOrNull<Json>;
  error: JsonOrNull<ErrorInfo>;
  ordered_at: Time;
  finished_at: TimeOrNull;
  undoes: string | null;
}

export interface AttemptsTable {
  tenant: string;
  run_id: string;
  command_id: string;
  attempts: number;
  executed_at: Time;
}

export interface WaitsTable {
  tenant: string;
  run_id: string;
  seq: number;
  definition_id: string;
  node_id: string;
  kind: Waiting['kind'];
  since: Time;
  until: TimeOrNull;
  open: boolean;
  waiting: JsonColumn<Waiting>;
  task_id: string | null;
  users: string[];
  roles: string[];
  queues: string[];
}

export interface EmittedTable {
  tenant: string;
  run_id: string;
  seq: number;
  emitted: JsonColumn<EmittedEvent>;
}

export interface EventWaitsTable {
  tenant: string;
  wait_id: string;
  type: string;
  run_id: string;
  node_id: string;
  /** As `keyOfWait` makes it. */
  correlation: string;
  expected: JsonColumn<{ readonly [path: string]: Json }>;
  filter: string | null;
  since: Time;
  registered_at: Time;
  closed_at: TimeOrNull;
  took: string | null;
  missed: JsonOrNull<readonly MissedEvent[]>;
}

export interface EventWaitPathsTable {
  tenant: string;
  type: string;
  paths: string;
  complete_from: TimeOrNull;
}

export interface EventKeysTable {
  tenant: string;
  event_id: string;
  correlation: string;
  type: string;
  accepted_at: Time;
  position: Generated<string>;
}

export interface WaitDeliveriesTable {
  tenant: string;
  event_id: string;
  wait_id: string;
  run_id: string;
  node_id: string;
  status: 'pending' | 'delivered' | 'ended';
}

export interface DecisionsTable {
  tenant: string;
  run_id: string;
  digest: string;
  task_id: string | null;
  node_id: string;
  by_id: string;
  counted: boolean;
  handled_at: Time;
  record: JsonColumn<DecisionRecord>;
}

export interface TaskRecordsTable {
  tenant: string;
  run_id: string;
  digest: string;
  task_id: string | null;
  handled_at: Time;
  position: Generated<string>;
  record: JsonColumn<TaskRecord>;
}

export interface DecisionOutboxTable {
  tenant: string;
  id: string;
  task_id: string;
  run_id: string;
  decision: JsonColumn<Decision>;
  door: string;
  submitted_at: Time;
  lease_until: Time;
  deliveries: Generated<number>;
  last_error: string | null;
  answered_at: TimeOrNull;
  answer: JsonOrNull<Json>;
}

export interface CalendarVersionsTable {
  tenant: string;
  name: string;
  version: number;
  hash: string;
  document: string;
  created_at: Time;
}

/** A value of a run that is too large for a history. */
export interface KeptValuesTable {
  tenant: string;
  run_id: string;
  hash: string;
  body: string;
  created_at: Time;
}

export interface HandlersTable {
  tenant: string;
  type: string;
  version: number;
  manifest: JsonColumn<HandlerEntry>;
  reported_by: string;
  first_seen: Time;
  last_seen: Time;
}
