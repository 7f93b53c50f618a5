/**
 * The Effects port: everything the walker may ask of the world.
 *
 * What it is: the only way from the pure walker to time, handlers and records. `workflows/temporal/` binds it to
 * Temporal, `testing/` to a virtual clock.
 * What it is not: a place for rules of the language; an implementation decides nothing but how an effect happens.
 *
 * Invariants:
 * 1. Every promise that an implementation gives settles by itself: by its effect, or by `cancel()` of its scope.
 * 2. `now()` moves only between two awaits, and reads the same on replay.
 * 3. `record()` never waits and never fails.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { WaitAnswer, WaitRegistration } from '../definitions/event-waits.ts';
import type { TimeAnswer, TimeQuestion } from '../definitions/time/question.ts';
import type { Json, RetryPolicy } from '../definitions/types.ts';
import type { ApprovalTask, RunRecord } from '../definitions/records.ts';
import type { Assignees } from './approval-state.ts';
import type { RunIdentity } from './start.ts';

/** A command as the walker orders it. All times in milliseconds. */
export interface CommandOrder {
  /** `<run id>/<path>/<node id>/<visit>`, `/undo` behind it for an undo: the idempotency key. */
  readonly commandId: string;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly summary: string;
  /** Type of the handler. */
  readonly type: string;
  /** Version of the handler. */
  readonly version: number;
  readonly payload: Json;
  readonly retry: ResolvedRetry;
  /** Longest life of one attempt. */
  readonly timeoutMs: number;
  /** Longest life of all attempts, queueing included; `null`: no limit. */
  readonly deadlineMs: number | null;
  readonly heartbeatMs: number | null;
  readonly taskQueue: string | null;
  readonly priority: number | null;
  readonly local: boolean;
  /** For an undo: the command id that it takes back. */
  readonly undoes: string | null;
  /** JSON pointers into the payload (of a rollback: into its input) at which a reference to a secret stands. */
  readonly secrets: readonly string[];
  /** The handler's `rollback` is called instead of its `execute`, with `{ input, output }` as payload. */
  readonly rollback: boolean;
  /** A cancelled attempt that is under way is awaited, so that what it did can be undone. */
  readonly awaitWhenCancelled: boolean;
}

/** A retry policy with every default filled in; intervals in milliseconds. */
export interface ResolvedRetry {
  readonly maxAttempts: number;
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maxIntervalMs: number;
  readonly jitter: number;
  readonly nonRetryable: NonNullable<RetryPolicy['nonRetryable']>;
}

/** A run as a `workflow` node begins it. */
export interface ChildOrder {
  /** Who it is; its id is its Temporal workflow id too. What it is about is worked out where it begins. */
  readonly run: Omit<RunIdentity, 'entity'>;
  /** A definition, in a version or, with `null`, the active one; or a hand-written workflow. */
  readonly what: { readonly definitionId: string; readonly version: number | null } | { readonly workflowType: string };
  readonly input: Json;
  /** Of the visit that begins it. */
  readonly visitId: string;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly summary: string;
  /** `null`: that of the run that begins it. */
  readonly taskQueue: string | null;
  /** It goes on whatever becomes of the run that began it, and nobody awaits its end. */
  readonly detached: boolean;
}

/** A run that has begun. */
export interface BegunChild {
  /** Another than was ordered where a run that has the same key stands for it. */
  readonly runId: string;
  /** Of its definition; `null`: it has none. */
  readonly version: number | null;
  /**
   * Its output; rejects with its error. Cancelled, it cancels the run unless that is detached, and settles when the run
   * has ended.
   */
  result(): Promise<Json>;
}

/** A wait for an event, as it is registered. */
export interface WaitOrder extends WaitRegistration {
  /** What people see: the node's name, else its id. */
  readonly summary: string;
}

/** An event as an `emit` node publishes it. */
export interface EmitOrder {
  /** Of the visit: the event's id, or what it is made from. */
  readonly commandId: string;
  readonly runId: string;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly summary: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string | null;
  /** ISO 8601. */
  readonly time: string;
  readonly data: Json;
}

/** What people should know of an approval. */
export interface Notice {
  /** `<task id>/assigned`, `…/reminder/1` and so on: stays the same however often it is told. */
  readonly key: string;
  readonly kind: 'assigned' | 'reminder' | 'escalated' | 'delegated' | 'withdrawn';
  readonly runId: string;
  readonly nodeId: string;
  /** People, roles and queues that it is for. */
  readonly to: Assignees;
  readonly task: ApprovalTask;
  /** Of an escalation: its `notify`. */
  readonly notify: Json;
  /** ISO 8601. */
  readonly at: string;
}

/** A wait for time, for something to become true, or for whichever comes first. */
export interface Wait {
  /** Milliseconds since 1970; `null`: no time limit. */
  readonly untilMs: number | null;
  /** Asked again whenever an effect has settled or a message was handled; absent: only time ends the wait. */
  readonly ready?: () => boolean;
  /** What people see on the timer. */
  readonly summary: string;
}

export interface Effects {
  /** The run's own time: milliseconds since 1970, the same on replay. */
  now(): number;
  /** Carries a command out, all attempts. Rejects with whatever {@link Effects.describe} understands. */
  runCommand(order: CommandOrder): Promise<Json>;
  /**
   * Begins a run. Asked again for the same one it begins no second, and its version stays. Rejects with why it cannot
   * begin; a start that is cancelled leaves no run that does not know it.
   */
  startChild(order: ChildOrder): Promise<BegunChild>;
  /**
   * Answers a question about time; the answer reads the same on replay. Rejects for a value that means no moment, and for a
   * calendar that there is not.
   */
  resolveTime(question: TimeQuestion): Promise<TimeAnswer>;
  /** Says that the run waits for events, and gives some of those that are there already. Twice is harmless. */
  registerWait(order: WaitOrder): Promise<WaitAnswer>;
  /** Publishes an event, once per command id, and gives its id. */
  emit(order: EmitOrder): Promise<string>;
  /** Tells the worker's notify hook; rejects when it gives up. A worker without one answers at once. */
  notify(notice: Notice): Promise<void>;
  /** Resolves when the wait is over; the caller looks for itself which side ended it. Rejects when cancelled. */
  wait(wait: Wait): Promise<void>;
  /** What a rejection of this port means in the language. Cancellation is the type `CANCELLED`. */
  describe(rejection: unknown): ErrorInfo;
  /** Hands the thread back after a long walk without an effect. */
  yield(): Promise<void>;
  /**
   * Whether the run should go on in a fresh history: `soon`, at a safe point at which no command is under way, or `now`,
   * at its next safe point: what is under way is awaited, and nothing new begins. See `isRolloverDue`.
   */
  rollover(): 'no' | 'soon' | 'now';
  /** Adds a line to the run's story. */
  record(record: RunRecord): void;
  /** The same port, whose pending effects end when `cancel()` is called. Cancelling twice is harmless. */
  openScope(): CancellableEffects;
}

export interface CancellableEffects extends Effects {
  cancel(): void;
  /** Runs `body` so that the effects it asks for belong to this scope. */
  run<T>(body: () => T): T;
}
