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
import type { WaitAnswer } from '../definitions/event-waits.ts';
import type { TimeAnswer, TimeQuestion } from '../definitions/time/question.ts';
import type { Json } from '../definitions/types.ts';
import type { RunRecord } from '../definitions/records.ts';
import type { ChildOrder, CommandOrder, EmitOrder, Notice, WaitOrder } from './orders.ts';

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
