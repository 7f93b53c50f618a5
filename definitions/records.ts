/**
 * The records of a run: its story, line by line, as the walker tells it.
 *
 * What it is: plain data that the simulator collects and workers project into PostgreSQL.
 * What it is not: state. Losing a record loses no run: the same walk over the same history tells it again.
 *
 * Invariants:
 * 1. `seq` counts visits and commands of a run from 1, so that writing a record twice changes nothing.
 * 2. A later record of the same `seq` replaces the earlier one.
 * 3. Times are milliseconds since 1970, of the run's own clock.
 */
import type { ErrorInfo } from './errors.ts';
import type { CommandState, Json, JsonSchema, NodeType, RunState } from './types.ts';

export type RunRecord =
  | StateRecord
  | VisitRecord
  | CommandRecord
  | WaitRecord
  | DecisionRecord
  | TaskRecord
  | EmitRecord;

/** The run changed its state. The last one of a run carries how many visits and commands it had in all. */
export interface StateRecord {
  readonly kind: 'state';
  readonly state: RunState;
  readonly at: number;
  readonly output?: Json;
  readonly error?: ErrorInfo | null;
  readonly counts?: { readonly visits: number; readonly commands: number };
  /** The run's variables at its end. */
  readonly vars?: { readonly [name: string]: Json };
}

/** A visit began (`outcome` is `null`) or ended. */
export interface VisitRecord {
  readonly kind: 'visit';
  readonly seq: number;
  readonly nodeId: string;
  /** Branch and item segments, `""` at the top. */
  readonly path: string;
  readonly visit: number;
  readonly type: NodeType;
  readonly outcome: string | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly error: ErrorInfo | null;
}

/** A command was ordered (`executing`) or ended. */
export interface CommandRecord {
  readonly kind: 'command';
  readonly seq: number;
  readonly commandId: string;
  readonly nodeId: string;
  readonly type: string;
  readonly version: number;
  readonly payload: Json;
  readonly state: CommandState;
  readonly result: Json;
  readonly error: ErrorInfo | null;
  readonly orderedAt: number;
  readonly finishedAt: number | null;
  readonly undoes: string | null;
}

/** A visit began to wait (`open`), or its wait is over. */
export interface WaitRecord {
  readonly kind: 'wait';
  /** The visit's. */
  readonly seq: number;
  readonly open: boolean;
  readonly waiting: Waiting;
}

/** A decision was counted or refused. */
export interface DecisionRecord {
  readonly kind: 'decision';
  readonly taskId: string | null;
  readonly nodeId: string;
  readonly outcome: string;
  readonly by: Person;
  readonly data: Json;
  readonly comment: string | null;
  /** When the door received it, ISO 8601. */
  readonly at: string;
  readonly handledAt: number;
  /** Where it came in: what the door says of itself, else `update` or `signal`. Absent in records of 0.1. */
  readonly door?: string;
  /** Hash of what was approved, where the task has a subject. */
  readonly subject?: string;
  /** `null`: it counts. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

/** What people do with a task beside deciding it. */
export type TaskAction = 'claim' | 'release' | 'delegate' | 'comment';
/** What happens to a task by itself. */
export type TaskMoment = 'assign' | 'remind' | 'escalate' | 'withdraw';

/** Something was done with an approval that is no decision, was refused, or happened to it by itself. */
export interface TaskRecord {
  readonly kind: 'task';
  readonly taskId: string | null;
  readonly nodeId: string;
  readonly action: TaskAction | TaskMoment;
  /** `null`: the run itself. */
  readonly by: Person | null;
  /** People, roles and queues that it went to. */
  readonly to: readonly string[];
  readonly comment: string | null;
  /** When the door received it, ISO 8601. */
  readonly at: string;
  readonly handledAt: number;
  /** As of a decision; `null`: none. */
  readonly door: string | null;
  /** `null`: it was done. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

/** A visit published an event. */
export interface EmitRecord {
  readonly kind: 'emit';
  /** The visit's. */
  readonly seq: number;
  readonly emitted: EmittedEvent;
}

export interface EmittedEvent {
  readonly nodeId: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly data: Json;
  readonly at: number;
}

/** What a run waits for. */
export interface Waiting {
  /** `""`: the run has not begun, and waits for its key. */
  readonly nodeId: string;
  readonly kind: 'delay' | 'approval' | 'handler' | 'event' | 'command' | 'key' | 'workflow';
  readonly since: number;
  /** When it ends by itself; `null`: never. */
  readonly until: number | null;
  /** In words. */
  readonly for: string;
  /** Of an approval. */
  readonly task?: ApprovalTask;
  /** Of an `event` node. */
  readonly event?: EventWait;
  /** Of a `workflow` node: what it waits for, or has begun. */
  readonly child?: Child;
}

/** A run that a run began. */
export interface Child {
  readonly runId: string;
  /** `null`: a hand-written workflow. */
  readonly definitionId: string | null;
  /** `null`: a definition. */
  readonly workflowType: string | null;
  /** Of its definition, once it is chosen. */
  readonly version: number | null;
}

/** A wait for an event. */
export interface EventWait {
  /** `<run id>/<path><node id>/<visit>`. */
  readonly waitId: string;
  readonly types: readonly string[];
  /** Values that the event must have at paths of its envelope. */
  readonly correlation: { readonly [path: string]: Json };
  /** The latest events that its filter did not let through. */
  readonly missed: readonly MissedEvent[];
  /** Id of the event that ended it. */
  readonly took: string | null;
}

export interface MissedEvent {
  readonly eventId: string;
  /** Why, in words. */
  readonly message: string;
}

/** What people see of an open approval. */
export interface ApprovalTask {
  readonly taskId: string;
  readonly visit: number;
  readonly title: string;
  readonly description: string;
  readonly assignees: {
    readonly users: readonly string[];
    readonly roles: readonly string[];
    readonly queues: readonly string[];
  };
  readonly outcomes: readonly string[];
  readonly quorum: number;
  readonly priority: number | null;
  readonly dueAt: number | null;
  /** JSON Schema of the answer; absent: any. */
  readonly form?: JsonSchema;
  /** What is approved; absent: nothing is bound. */
  readonly subject?: Subject;
  /** Who has taken it on; absent: nobody. */
  readonly claimedBy?: string;
  /** Why it was closed without an outcome; absent: it was not. */
  readonly withdrawn?: string;
}

/** What an approval is about, bound to it by a hash. */
export interface Subject {
  readonly value: Json;
  /** SHA-256 of the value's canonical JSON, in lower-case hex. */
  readonly hash: string;
}

export interface Person {
  readonly id: string;
  readonly roles?: readonly string[];
}

/** Which of a run's approvals is meant; what is absent fits all. */
export interface TaskAddress {
  readonly nodeId: string;
  readonly visit?: number;
  /** Branch and item segments, `""` at the top. */
  readonly path?: string;
}

/** One person's answer, as it comes by update or signal. */
export interface Decision extends TaskAddress {
  readonly outcome: string;
  readonly by: Person;
  readonly data?: Json;
  readonly comment?: string;
  readonly subject?: string;
  /** When the door received it, ISO 8601. */
  readonly at?: string;
}

/** What one person does with a task, as it comes by update or signal. */
export interface TaskRequest extends TaskAddress {
  readonly action: TaskAction;
  readonly by: Person;
  /** Of `delegate`: the id of the person who is to decide instead. */
  readonly to?: string;
  readonly comment?: string;
  /** When the door received it, ISO 8601. */
  readonly at?: string;
}

/** A decision that counts. */
export interface Vote {
  readonly by: Person;
  readonly outcome: string;
  readonly data: Json;
  readonly comment: string | null;
  readonly at: string;
}

/** A run as `fermata runs show --json` and `fermata simulate --json` print it. Times are ISO 8601 text. */
export interface RunDocument {
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  /** Only where the definition has one: its canonical JSON, or a hash of it. */
  readonly key?: string;
  readonly state: RunState;
  readonly output: Json;
  readonly error: ErrorInfo | null;
  readonly startedAt: string;
  readonly completedAt: string | null;
  /** In order of visit start. */
  readonly trace: readonly {
    readonly nodeId: string;
    readonly path: string;
    readonly visit: number;
    readonly type: NodeType;
    readonly outcome: string | null;
    readonly startedAt: string;
    readonly finishedAt: string | null;
    readonly error: ErrorInfo | null;
    /** Of an `event` node: the event that it took. */
    readonly eventId?: string;
  }[];
  /** In the order in which they were given. */
  readonly commands: readonly {
    readonly commandId: string;
    readonly nodeId: string;
    readonly command: {
      readonly type: string;
      readonly id: string;
      readonly payload: Json;
      readonly timestamp: string;
      readonly version: number;
    };
    readonly state: CommandState;
    readonly attempts: number;
    readonly result: Json;
    readonly error: ErrorInfo | null;
    readonly executedAt: string | null;
    /** Of an undo: the command id that it takes back. */
    readonly undoes?: string;
  }[];
  readonly waiting: readonly {
    readonly nodeId: string;
    readonly kind: Waiting['kind'];
    readonly since: string;
    readonly until: string | null;
    readonly for: string;
  }[];
  readonly vars: { readonly [name: string]: Json };
  /** What its `emit` nodes published, in order; absent where they published nothing. */
  readonly emitted?: readonly (Omit<EmittedEvent, 'at'> & { readonly at: string })[];
  /** What was said and done about its approvals, refused or not, in order; absent where nothing was. */
  readonly audit?: readonly AuditEntry[];
  /** Id of the run that began it; absent where none did. */
  readonly parent?: string;
  /** What its `workflow` nodes began, in order of visit start; absent where they began nothing. */
  readonly children?: readonly ChildEntry[];
}

/** One line of the audit of a run's approvals. Times are ISO 8601 text. */
export interface AuditEntry {
  readonly taskId: string | null;
  readonly nodeId: string;
  readonly action: 'decide' | TaskRecord['action'];
  /** `null`: the run itself. */
  readonly by: Person | null;
  /** Of a decision. */
  readonly outcome?: string;
  readonly data?: Json;
  readonly subject?: string;
  /** Of what went to others. */
  readonly to?: readonly string[];
  readonly comment: string | null;
  readonly at: string;
  readonly handledAt: string;
  readonly door: string | null;
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

/** A run that a run began, as the document of that run names it. */
export interface ChildEntry extends Child {
  readonly nodeId: string;
  /** `null`: not known here, as of hand-written workflows. */
  readonly state: RunState | null;
  /** The whole of it, where nothing else would show it: in a simulation. */
  readonly run?: RunDocument;
}
