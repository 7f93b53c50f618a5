/**
 * What every part of a walk shares: the definition, the state, the port, and the run's wish to stop.
 *
 * Invariants:
 * 1. All state that outlives an await is in `checkpoint`; the rest is derived from the start.
 * 2. `effects` outlives a cancel (undo uses it); `scope` ends with it (nodes use it).
 */
import type { CompiledTemplate, Meter, Names } from '../definitions/expressions/index.ts';
import { type ErrorInfo, RunError } from '../definitions/errors.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { RunRecord, Waiting } from '../definitions/records.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { ApprovalState, Checkpoint, Frame } from './checkpoint.ts';
import type { CompiledDefinition } from './compile.ts';
import type { CancellableEffects, Effects } from './effects.ts';
import { redactRecord } from './redact.ts';
import type { RunStart } from './start.ts';

export interface RunContext {
  readonly start: RunStart;
  readonly compiled: CompiledDefinition;
  readonly checkpoint: Checkpoint;
  /** Never cancelled. */
  readonly effects: Effects;
  /** Cancelled when the run is asked to stop. */
  readonly scope: CancellableEffects;
  readonly meter: Meter;
  /** What expressions see as `run`. */
  readonly names: Names['run'];
  /** Open waits by the `seq` of their visit. */
  readonly waiting: Map<number, Waiting>;
  /** Open approvals by task id. */
  readonly approvals: Map<string, { readonly state: ApprovalState; readonly nodeId: string; readonly visit: number }>;
  /** The moment of the run's own timeout; `Infinity`: none. */
  readonly limitAt: number;
}

/** What a node type sees of the visit that it carries out. */
export interface Visit<Config> {
  readonly run: RunContext;
  readonly frame: Frame;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly label: string;
  readonly config: Config;
  /** Branch and item segments with their slashes, `""` at the top. */
  readonly path: string;
  /** Which visit of this node it is, from 1. */
  readonly visit: number;
  readonly seq: number;
  readonly startedAt: number;
}

/** `<run id>/<path>/<node id>/<visit>`: names a command and an approval. */
export function visitId(visit: Visit<unknown>): string {
  return `${visit.run.start.run.id}/${visit.path}${visit.nodeId}/${visit.visit}`;
}

/** Whether the run has been asked to end, or has to: told by the clock, so that no race of timers decides. */
export function isStopping(run: RunContext): boolean {
  return run.checkpoint.cancel !== null || (run.limitAt !== Infinity && run.effects.now() >= run.limitAt);
}

/** The names that expressions of a scope see. */
export function namesFor(run: RunContext, frame: Frame): Names {
  const { start } = run;
  return {
    event: start.event,
    input: start.input,
    vars: frame.vars,
    nodes: frame.nodes,
    run: run.names,
    now: run.effects.now(),
    ...(frame.error ? { error: frame.error } : {}),
  };
}

/** The value of a template in a scope. @throws RunError `EXPRESSION_ERROR` */
export function evaluate(run: RunContext, frame: Frame, template: CompiledTemplate): Json {
  return template.evaluate(template.constant ? NO_NAMES : namesFor(run, frame), run.meter);
}

/** The run's result: the definition's `output`, else the output of the last node walked. */
export function runOutput(run: RunContext, frame: Frame): Json {
  if (run.compiled.output) return evaluate(run, frame, run.compiled.output);
  return frame.lastNodeId === null ? null : (frame.nodes[frame.lastNodeId]?.output ?? null);
}

const NO_NAMES: Names = { event: null, input: null, vars: {}, nodes: {}, run: {}, now: 0 };

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
export function checkedBytes(what: string, value: Json): number {
  const bytes = jsonBytes(value);
  if (bytes <= LIMITS.valueBytes) return bytes;
  throw new RunError('PAYLOAD_TOO_LARGE', `The ${what} has ${bytes} bytes; the limit is ${LIMITS.valueBytes}`, {
    bytes,
    limit: LIMITS.valueBytes,
  });
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

/** The `CANCELLED` error of a visit that a stopping run interrupted. */
export function cancelledError(run: RunContext, nodeId: string): ErrorInfo {
  const reason = run.checkpoint.cancel?.reason ?? (isStopping(run) ? 'the run timed out' : 'its scope ended');
  return { type: 'CANCELLED', message: `Cancelled: ${reason}`, nodeId };
}

/** A fault of the definition or its data as an error; anything else is a bug of the engine, and is thrown on. */
export function errorOf(thrown: unknown, nodeId: string | null): ErrorInfo {
  if (!(thrown instanceof RunError)) throw thrown;
  const { type, message, details } = thrown;
  return { type, message, nodeId, ...(details === undefined ? {} : { details }) };
}
