/**
 * What every part of a run shares: the definition, the state, the port, and how its story and its size are kept.
 *
 * Invariants:
 * 1. All state that outlives an await is in `checkpoint`; the rest is derived from the start.
 * 2. `effects` outlives a cancel (undo uses it); `stoppable` ends with it (nodes use it).
 */
import type { Meter, Names } from '../definitions/expressions/index.ts';
import { type ErrorInfo, RunError } from '../definitions/errors.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { RunRecord, Waiting } from '../definitions/records.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { CloudEvent, Json } from '../definitions/types.ts';
import type { ApprovalState } from './approval-state.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { CompiledDefinition } from './compile.ts';
import type { CancellableEffects, Effects } from './effects.ts';
import type { EventState } from './event-state.ts';
import type { Fuel } from './fuel.ts';
import { redactRecord } from './redact.ts';
import type { Slots } from './slots.ts';
import type { RunStart } from './start.ts';

export interface RunContext {
  readonly start: RunStart;
  readonly compiled: CompiledDefinition;
  readonly checkpoint: Checkpoint;
  /** Never cancelled. */
  readonly effects: Effects;
  /** Cancelled when the run is asked to stop. */
  readonly stoppable: CancellableEffects;
  readonly meter: Meter;
  readonly fuel: Fuel;
  /** For the commands under way. */
  readonly slots: Slots;
  /** What expressions see as `run`. */
  readonly names: Names['run'];
  /** Open waits by the `seq` of their visit. */
  readonly waiting: Map<number, Waiting>;
  /** Open approvals by task id. */
  readonly approvals: Map<string, OpenTask>;
  /** What people are being told; awaited before the run ends or goes on elsewhere. */
  readonly notices: Set<Promise<void>>;
  /** Open waits for events by wait id. */
  readonly eventWaits: Map<string, OpenEventWait>;
  /** The moment of the run's own timeout; `Infinity`: none. */
  readonly limitAt: number;
}

/**
 * Whether the run is to stop at its next safe point, to go on in a fresh history. A fan-out is not held up for it as long
 * as there is room: commands of other branches come first.
 */
export function isRolloverDue({ effects, slots }: RunContext): boolean {
  const rollover = effects.rollover();
  return rollover === 'now' || (rollover === 'soon' && !slots.isBusy());
}

/** An open approval, as decisions and requests see it. */
export interface OpenTask {
  readonly nodeId: string;
  readonly path: string;
  readonly visit: number;
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly state: ApprovalState;
}

/** A wait for an event, as the run's events see it. */
export interface OpenEventWait {
  /** Of its visit: waits that began earlier have a lower one. */
  readonly seq: number;
  readonly state: EventState;
  /** Whether its filter lets an event through; asked once of each event. */
  passes(event: CloudEvent): boolean;
}

/** Puts a line into the run's story. */
export function record(run: RunContext, line: RunRecord): void {
  run.effects.record(redactRecord(run, line));
}

/** Shows that a visit waits; the end of the visit closes it. */
export function openWait(run: RunContext, seq: number, waiting: Waiting): void {
  run.waiting.set(seq, waiting);
  record(run, { kind: 'wait', seq, open: true, waiting });
}

/** Shows that the wait of a visit is over, if it had one. A wait that goes on in a fresh history is not over. */
export function closeWait(run: RunContext, seq: number): void {
  const waiting = run.waiting.get(seq);
  if (waiting === undefined) return;
  run.waiting.delete(seq);
  record(run, { kind: 'wait', seq, open: false, waiting });
}

/** The size of a value that enters the state. @throws RunError `PAYLOAD_TOO_LARGE` */
export function checkedBytes(what: string, value: Json, limit: number = LIMITS.valueBytes): number {
  const bytes = jsonBytes(value);
  if (bytes <= limit) return bytes;
  throw new RunError('PAYLOAD_TOO_LARGE', `The ${what} has ${bytes} bytes; the limit is ${limit}`, { bytes, limit });
}

/** Books a change of the run's state. @throws RunError `PAYLOAD_TOO_LARGE` if the state would get too large */
export function bookBytes(run: RunContext, added: number, removed: number): void {
  const bytes = run.checkpoint.bytes + added - removed;
  if (bytes > LIMITS.stateBytes) {
    throw new RunError(
      'PAYLOAD_TOO_LARGE',
      `The run's state would have ${bytes} bytes; the limit is ${LIMITS.stateBytes}`,
      {
        bytes,
        limit: LIMITS.stateBytes,
      },
    );
  }
  run.checkpoint.bytes = bytes;
}

/** Books what the state no longer holds. */
export function releaseBytes(run: RunContext, bytes: number): void {
  run.checkpoint.bytes -= bytes;
}

/** A fault of the definition or its data as an error; anything else is a bug of the engine, and is thrown on. */
export function errorOf(thrown: unknown, nodeId: string | null): ErrorInfo {
  if (!(thrown instanceof RunError)) throw thrown;
  const { type, message, details } = thrown;
  return { type, message, nodeId, ...(details === undefined ? {} : { details }) };
}

/** What `body` gives, or its fault as an error. */
export function faultless<T>(
  nodeId: string | null,
  body: () => T,
): { readonly value: T } | { readonly error: ErrorInfo } {
  try {
    return { value: body() };
  } catch (error) {
    return { error: errorOf(error, nodeId) };
  }
}
