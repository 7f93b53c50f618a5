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
import type { Json, RetryPolicy } from '../definitions/types.ts';
import type { RunRecord } from '../definitions/records.ts';

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

/** A wait for time, for something to become true, or for whichever comes first. */
export interface Wait {
  /** Milliseconds since 1970; `null`: no time limit. */
  readonly untilMs: number | null;
  /** Asked again whenever a signal or update was handled; absent: only time ends the wait. */
  readonly ready?: () => boolean;
  /** What people see on the timer. */
  readonly summary: string;
}

export interface Effects {
  /** The run's own time: milliseconds since 1970, the same on replay. */
  now(): number;
  /** Carries a command out, all attempts. Rejects with whatever {@link Effects.describe} understands. */
  runCommand(order: CommandOrder): Promise<Json>;
  /** Resolves when the wait is over; the caller looks for itself which side ended it. Rejects when cancelled. */
  wait(wait: Wait): Promise<void>;
  /** What a rejection of this port means in the language. Cancellation is the type `CANCELLED`. */
  describe(rejection: unknown): ErrorInfo;
  /** Hands the thread back after a long walk without an effect. */
  yield(): Promise<void>;
  /** Whether the run should go on in a fresh history at its next safe point. */
  rolloverDue(): boolean;
  /** Adds a line to the run's story. */
  record(record: RunRecord): void;
  /** The same port, whose pending effects end when `cancel()` is called. Cancelling twice is harmless. */
  openScope(): CancellableEffects;
}

export interface CancellableEffects extends Effects {
  cancel(): void;
  /** Runs `body` so that the effects it asks for belong to this scope. */
  run<T>(body: () => Promise<T>): Promise<T>;
}
