/**
 * The interpreter workflow: the default, dynamic workflow of Fermata's workers. Its type is the definition's id.
 *
 * Invariants:
 * 1. Handlers are set before the walk starts and are synchronous, so a message is never lost nor handled halfway.
 * 2. Every end of a run is a result, an `ApplicationFailure`, a `CancelledFailure` or a continue-as-new; a plain error
 *    that leaves this function is a bug of the engine, and Temporal keeps the run for when it is fixed.
 */
import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CancelRequest, Ending } from '../checkpoint.ts';
import { errorOf } from '../context.ts';
import { RunError } from '../../definitions/errors.ts';
import type { DecisionAnswer } from '../decisions.ts';
import type { Json } from '../../definitions/types.ts';
import {
  CANCEL,
  DECIDE,
  type DoorDelivery,
  EVENT,
  type EventDelivery,
  LOAD_DEFINITION,
  STATE,
  TASK,
} from '../../definitions/wire.ts';
import type { Refusal } from '../read-decision.ts';
import { createRun, type Run } from '../run.ts';
import type { RunView } from '../run-view.ts';
import type { DefinitionReference, DefinitionVersion } from '../start.ts';
import type { TaskAnswer } from '../task-requests.ts';
import { Undecodable } from '../undecodable.ts';
import { type Binding, type RunEffects, temporalEffects } from './effects.ts';
import { toFailure } from './failures.ts';
import { readStart } from './read-start.ts';
import { WalkScope } from './walk-scope.ts';
import type { CancelSignal, LoadedDefinition, LoadRequest, RecordsOf, WireStart } from './wire.ts';

const decideUpdate = defineUpdate<DecisionAnswer, [unknown, DoorDelivery?]>(DECIDE);
const decideSignal = defineSignal<[unknown, DoorDelivery?]>(DECIDE);
const taskUpdate = defineUpdate<TaskAnswer, [unknown, DoorDelivery?]>(TASK);
const taskSignal = defineSignal<[unknown, DoorDelivery?]>(TASK);
const eventSignal = defineSignal<[unknown, EventDelivery?]>(EVENT);
const cancelSignal = defineSignal<[unknown]>(CANCEL);
const stateQuery = defineQuery<RunView>(STATE);

/** Temporal calls the default export for every workflow type that has no workflow of its own. */
export default async function interpreter(start: WireStart): Promise<Json> {
  const wire = readStart(start);
  const requested = cancelRequest();
  return WalkScope.nonCancellable(async () => {
    const binding: Binding = {
      of: recordsOf(wire),
      rolloverEvents: wire.rolloverEvents ?? null,
      received: { signals: 0, updates: 0 },
    };
    const effects = temporalEffects(binding);
    const run = await begin(wire, effects);
    listen(run, effects, binding);
    requested.then(() => {
      run.cancel({ reason: 'cancelled through Temporal', by: null, at: effects.now() });
    });
    const end = await run.walk();
    effects.flush();
    await effects.allEnded();
    if (end.kind === 'suspended') return continueAsNew<typeof interpreter>({ ...wire, checkpoint: end.checkpoint });
    if (end.ending.state === 'completed') return end.ending.output;
    throw toFailure(end.ending, requested.seen());
  });
}

function recordsOf({ definition, run, event, input, checkpoint }: WireStart): RecordsOf {
  const of = { tenant: run.tenant, runId: run.id, definitionId: definition.id, version: definition.version };
  if (checkpoint) return of;
  const { startTime, firstExecutionRunId } = workflowInfo();
  const { initiator, entity } = run;
  const facts = { hash: definition.hash, input, eventId: event?.id ?? null, initiator, entity };
  return { ...of, start: { ...facts, startedAt: startTime.getTime(), temporalRunId: firstExecutionRunId } };
}

/**
 * A run that cannot begin fails, and its records tell that. One that has begun has things to undo: it is kept by Temporal
 * until a worker can go on with it.
 */
async function begin(wire: WireStart, effects: RunEffects): Promise<Run> {
  try {
    return createRun({ ...wire, definition: await load(wire.definition, wire.run.tenant) }, effects);
  } catch (fault) {
    const error = fault instanceof RunError ? errorOf(fault, null) : effects.describe(fault);
    if (wire.checkpoint) throw new Error(`the run cannot go on here: ${error.message}`, { cause: fault });
    const ending: Ending = { state: 'failed', output: null, error };
    effects.record({ kind: 'state', at: effects.now(), ...ending, counts: { visits: 0, commands: 0 } });
    effects.flush();
    throw toFailure(ending, false);
  }
}

/** Opens the doors of the run. */
function listen(run: Run, effects: RunEffects, { received }: Binding): void {
  setHandler(stateQuery, () => run.view());
  listenToPeople(run, effects, { received });
  setHandler(eventSignal, (event, delivery) => {
    received.signals += 1;
    run.receiveEvent(event, delivery);
    effects.flushSoon();
  });
  setHandler(cancelSignal, (request) => {
    received.signals += 1;
    run.cancel({ ...readCancel(request), at: effects.now() });
    effects.flushSoon();
  });
}

/** The doors of its approvals. */
function listenToPeople(run: Run, effects: RunEffects, { received }: Pick<Binding, 'received'>): void {
  const handled = <T>(kind: keyof Binding['received'], answer: T): T => {
    received[kind] += 1;
    effects.flushSoon();
    return answer;
  };
  setHandler(decideUpdate, (decision, delivery) => handled('updates', run.decide(decision, delivery)), {
    validator: (decision: unknown, _delivery?: DoorDelivery) => refuse(run.checkDecision(decision)),
  });
  setHandler(decideSignal, (decision, delivery) => handled('signals', run.receiveDecision(decision, delivery)));
  setHandler(taskUpdate, (request, delivery) => handled('updates', run.requestTask(request, delivery)), {
    validator: (request: unknown, _delivery?: DoorDelivery) => refuse(run.checkRequest(request)),
  });
  setHandler(taskSignal, (request, delivery) => handled('signals', run.receiveRequest(request, delivery)));
}

/** In the validator of an update: what it refuses adds nothing to the history. */
function refuse(refusal: Refusal | null): void {
  if (refusal === null) return;
  const { code, message, mismatches } = refusal;
  throw ApplicationFailure.nonRetryable(message, code, ...(mismatches ? [{ mismatches }] : []));
}

/** Whoever sends it wants the run to stop, whether or not the rest can be read. */
function readCancel(request: unknown): Pick<CancelRequest, 'reason' | 'by'> {
  if (request instanceof Undecodable) return { reason: 'for a reason that cannot be decoded', by: null };
  const { reason, by } = Object(request) as { readonly [Field in keyof CancelSignal]: unknown };
  return { reason: text(reason) ?? 'no reason given', by: text(by) ?? null };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 1000) : undefined;
}

async function load(definition: DefinitionVersion | DefinitionReference, tenant: string): Promise<DefinitionVersion> {
  if ('document' in definition) return definition;
  const { [LOAD_DEFINITION]: loadDefinition } = proxyLocalActivities<{
    [LOAD_DEFINITION](request: LoadRequest): Promise<LoadedDefinition>;
  }>({ startToCloseTimeout: '10s', summary: 'load the definition' });
  return { ...definition, ...(await loadDefinition({ ...definition, tenant })) };
}

/** A cancel of the workflow through Temporal, also one that comes before the run can be told. */
function cancelRequest(): { then(callback: () => void): void; seen(): boolean } {
  const scope = CancellationScope.current();
  return {
    then(callback) {
      void scope.cancelRequested.catch(callback);
    },
    seen: () => scope.consideredCancelled,
  };
}
