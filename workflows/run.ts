/**
 * One run of a definition: walked, decided upon, cancelled and looked at.
 *
 * What it is: the pure core that production, simulator and tests drive through the Effects port.
 * What it is not: Temporal, PostgreSQL or Node.
 *
 * Invariants:
 * 1. `walk` is called once. It gives the end of the run, or a checkpoint from which another `createRun` goes on.
 * 2. Its promise never rejects for a fault of the definition or its data.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { Meter } from '../definitions/expressions/index.ts';
import { isoTime } from '../definitions/timestamps.ts';
import { argumentFault, letGo } from './argument-size.ts';
import type { CancelRequest, Checkpoint, Ending } from './checkpoint.ts';
import { type CompiledDefinition, compiled } from './compile.ts';
import { errorOf, type RunContext, record } from './context.ts';
import { checkDecision, type DecisionAnswer, decide, receiveDecision } from './decisions.ts';
import type { Effects } from './effects.ts';
import { receiveEvent } from './events.ts';
import { Fuel } from './fuel.ts';
import type { Later } from './later.ts';
import type { ScopeEnd } from './outcome.ts';
import { type Refusal, readDoor } from './read-decision.ts';
import { type RunView, viewOf } from './run-view.ts';
import { cancelledError, freshFrame, isStopping, namesFor, outputOf, type Scope, setVars, topScope } from './scope.ts';
import { Slots } from './slots.ts';
import type { RunStart } from './start.ts';
import { afterNotices } from './task-moments.ts';
import { checkRequest, handleRequest, type TaskAnswer } from './task-requests.ts';
import { reopenTasks } from './tasks.ts';
import { cancelAt } from './time-limit.ts';
import { undoAll } from './undo.ts';
import { walkScope } from './walk.ts';

/** How `walk` ends: the run is over, or goes on in a fresh history. */
export type RunEnd =
  | { readonly kind: 'closed'; readonly ending: Ending }
  | { readonly kind: 'suspended'; readonly checkpoint: Checkpoint };

export interface Run {
  walk(): Promise<RunEnd>;
  /** Counts or refuses a decision, and tells which; `delivery`: what `DoorDelivery` says of it. */
  decide(decision: unknown, delivery?: unknown): DecisionAnswer;
  /** Why `decide` would refuse now; changes nothing. */
  checkDecision(decision: unknown): Refusal | null;
  /** Takes a decision without an answer; one that comes early is kept. */
  receiveDecision(decision: unknown, delivery?: unknown): void;
  /** Does or refuses what somebody wants with a task, and tells which. */
  requestTask(request: unknown, delivery?: unknown): TaskAnswer;
  /** Why `requestTask` would refuse now; changes nothing. */
  checkRequest(request: unknown): Refusal | null;
  /** The same without an answer. */
  receiveRequest(request: unknown, delivery?: unknown): void;
  /** Takes an event, for a wait that is open or a later one; `delivery`: what `EventDelivery` says of it. */
  receiveEvent(event: unknown, delivery?: unknown): void;
  /** Stops the run at once: nothing new starts, what is declared is undone. The first request stands. */
  cancel(request: CancelRequest): void;
  view(): RunView;
}

/** Makes a run ready to walk. @throws RunError where the definition cannot be walked */
export function createRun(start: RunStart, effects: Effects): Run {
  const run = createContext(start, effects);
  return {
    walk: () => walk(run),
    decide: (decision, delivery) => decide(run, decision, readDoor(delivery, 'update')),
    checkDecision: (decision) => checkDecision(run, decision),
    receiveDecision: (decision, delivery) => receiveDecision(run, decision, readDoor(delivery, 'signal')),
    requestTask: (request, delivery) => handleRequest(run, request, readDoor(delivery, 'update')),
    checkRequest: (request) => checkRequest(run, request),
    receiveRequest: (request, delivery) => void handleRequest(run, request, readDoor(delivery, 'signal')),
    receiveEvent: (event, delivery) => receiveEvent(run, event, delivery),
    cancel: (request) => cancel(run, request),
    view: () => viewOf(run),
  };
}

function createContext(start: RunStart, effects: Effects): RunContext {
  const { document, handlers } = start.definition;
  const definition = compiled(document, handlers);
  const checkpoint = start.checkpoint ?? freshCheckpoint(definition, effects.now());
  const stoppable = effects.openScope();
  if (checkpoint.cancel) stoppable.cancel();
  const meter = new Meter();
  const { id, tenant, initiator, entity } = start.run;
  const run: RunContext = {
    start,
    compiled: definition,
    checkpoint,
    effects,
    stoppable,
    meter,
    fuel: new Fuel(meter),
    slots: new Slots(),
    names: {
      id,
      definitionId: start.definition.id,
      version: start.definition.version,
      startedAt: isoTime(checkpoint.startedAt),
      tenant,
      entity,
      initiator: { id: initiator.id, kind: initiator.kind },
    },
    waiting: new Map(),
    approvals: new Map(),
    notices: new Set(),
    eventWaits: new Map(),
    limitAt: definition.timeoutMs === null ? Infinity : checkpoint.startedAt + definition.timeoutMs,
  };
  reopenTasks(run);
  return run;
}

function freshCheckpoint({ top }: CompiledDefinition, now: number): Checkpoint {
  return {
    format: 1,
    startedAt: now,
    frame: freshFrame(top),
    undo: [],
    early: [],
    counts: { visits: 0, commands: 0 },
    cancel: null,
    ending: null,
    bytes: 0,
  };
}

async function walk(run: RunContext): Promise<RunEnd> {
  const { checkpoint, effects } = run;
  if (checkpoint.ending === null) {
    const top = topScope(run);
    const limit = cancelAt(run.limitAt, { effects, summary: 'run timeout', scope: run.stoppable });
    const end = await walkTop(top);
    limit?.cancel();
    if (run.notices.size > 0) await afterNotices(run);
    if (end.kind === 'suspended') {
      const fault = argumentFault(run);
      if (fault === null) return { kind: 'suspended', checkpoint };
      letGo(run);
      checkpoint.ending = failed(fault);
    } else {
      checkpoint.ending = endingOf(top, end);
    }
  }
  const { ending } = checkpoint;
  const final = ending.state === 'completed' ? ending : await undoAll(run, ending);
  if (final === null) return { kind: 'suspended', checkpoint };
  checkpoint.ending = final;
  const { state, output, error } = final;
  const { counts, frame } = checkpoint;
  record(run, { kind: 'state', state, at: effects.now(), output, error, counts: { ...counts }, vars: frame.vars });
  return { kind: 'closed', ending: final };
}

function walkTop(top: Scope): Later<ScopeEnd> {
  const { run } = top;
  if (run.start.checkpoint === undefined) {
    record(run, { kind: 'state', state: 'running', at: run.checkpoint.startedAt });
    const fault = setInitialVars(top);
    if (fault) return { kind: 'error', error: fault };
  }
  return walkScope(top);
}

function setInitialVars(top: Scope): ErrorInfo | null {
  const { run } = top;
  try {
    const names = namesFor(top);
    for (const [name, template] of run.compiled.vars) setVars(top, { [name]: template.evaluate(names, run.meter) });
    return null;
  } catch (error) {
    return errorOf(error, null);
  }
}

function endingOf(top: Scope, end: Exclude<ScopeEnd, { kind: 'suspended' }>): Ending {
  const { run, frame } = top;
  const { cancel, startedAt } = run.checkpoint;
  if (end.kind === 'end') return end.ending;
  const nodeId = end.kind === 'error' ? end.error.nodeId : frame.lastNodeId;
  if (cancel) return { state: 'cancelled', output: null, error: cancelledError(top, nodeId ?? '') };
  // A run that reaches its end at that very moment has completed; one whose last command was awaited past it has not.
  if (end.kind === 'error' ? isStopping(top) : run.effects.now() > run.limitAt) {
    const message = `The run took longer than its timeout of ${run.compiled.definition.timeout} since ${isoTime(startedAt)}`;
    return failed({ type: 'RUN_TIMEOUT', message, nodeId });
  }
  if (end.kind === 'error') return failed(end.error);
  try {
    return { state: 'completed', output: outputOf(top, run.compiled.output), error: null };
  } catch (error) {
    return failed(errorOf(error, null));
  }
}

function failed(error: ErrorInfo): Ending {
  return { state: 'failed', output: null, error };
}

function cancel(run: RunContext, request: CancelRequest): void {
  if (run.checkpoint.cancel !== null || run.checkpoint.ending !== null) return;
  run.checkpoint.cancel = request;
  record(run, { kind: 'state', state: 'paused', at: run.effects.now() });
  run.stoppable.cancel();
}
