/**
 * `event`: waits for an event. Which wait takes which is decided in `../events.ts`; what is there already is asked for in
 * `../ask-for-events.ts`.
 */
import { eventInWords } from '../../definitions/correlation.ts';
import { parseDuration } from '../../definitions/duration.ts';
import { RunError } from '../../definitions/errors.ts';
import {
  type CompiledExpression,
  type CompiledTemplate,
  compileExpression,
  compileTemplate,
} from '../../definitions/expressions/index.ts';
import type { Waiting } from '../../definitions/records.ts';
import type { CloudEvent, EventNode, Json, Scalar } from '../../definitions/types.ts';
import { askForEvents } from '../ask-for-events.ts';
import { checkedBytes, isRolloverDue, type OpenEventWait, openWait } from '../context.ts';
import type { EventState } from '../event-state.ts';
import { giveOut, hasToAsk, inboxOf } from '../events.ts';
import { SUSPENDED, type Step } from '../outcome.ts';
import { cancelledError, evaluate, namesFor, type Visit, visitId } from '../scope.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly types: readonly string[];
  readonly correlate: readonly (readonly [path: string, template: CompiledTemplate])[];
  readonly filter: { readonly text: string; readonly expression: CompiledExpression } | null;
  readonly timeoutMs: number | null;
  readonly lookbackMs: number | null;
}

/** Before all that ever arrived. */
const NOTHING = -1;

/** Events that a filter did not let through, as far as people are told of them. */
const MOST_MISSED = 5;

export const event: NodeType<EventNode, Config, EventState> = {
  compile({ config: { event: types, correlate = {}, filter, timeout, lookback } }) {
    return {
      types: typeof types === 'string' ? [types] : types,
      correlate: Object.entries(correlate).map(([path, template]) => [path, compileTemplate(template)]),
      filter: filter === undefined ? null : { text: filter, expression: compileExpression(filter) },
      timeoutMs: timeout === undefined ? null : parseDuration(timeout),
      lookbackMs: lookback === undefined ? null : parseDuration(lookback),
    };
  },

  enter(visit) {
    const { scope, config, startedAt } = visit;
    const { types, timeoutMs, lookbackMs } = config;
    const values = config.correlate.map(([path, template]) => [path, scalar(path, evaluate(scope, template))] as const);
    const state: EventState = {
      kind: 'event',
      waitId: visitId(visit),
      types,
      correlation: Object.fromEntries(values),
      since: lookbackMs === null ? null : startedAt - lookbackMs,
      timeoutAt: timeoutMs === null ? null : startedAt + timeoutMs,
      known: NOTHING,
      stale: false,
      after: null,
      taken: null,
      missed: [],
    };
    checkedBytes('correlation of the wait', state as unknown as Json);
    return state;
  },

  async proceed(visit, state) {
    const { run, scope, nodeId, seq } = visit;
    run.eventWaits.set(state.waitId, asOpenWait(visit, state));
    openWait(run, seq, waitingFor(visit, state));
    let step: Step;
    try {
      giveOut(run);
      step = await waitForEvent(visit, state);
    } catch (rejection) {
      if (run.effects.describe(rejection).type !== 'CANCELLED') throw rejection;
      step = state.taken ? came(nodeId, state.taken) : { kind: 'error', error: cancelledError(scope, nodeId) };
    } finally {
      run.eventWaits.delete(state.waitId);
    }
    if (step.kind !== 'suspended') end(visit, state);
    return step;
  },
};

/** An event that is there comes before the deadline, whichever woke the run. */
async function waitForEvent(visit: Visit<Config>, state: EventState): Promise<Step> {
  const { run, scope, nodeId, label, config } = visit;
  const { timeoutAt } = state;
  for (;;) {
    if (state.taken !== null) return came(nodeId, state.taken);
    if (hasToAsk(state)) {
      // What is there may be more than one history should hold.
      if (state.after !== null && isRolloverDue(run)) return SUSPENDED;
      if (!(await askForEvents(visit, state, config.filter?.text ?? null))) return SUSPENDED;
      continue;
    }
    if (timeoutAt !== null && run.effects.now() >= timeoutAt) return timedOut(nodeId, state);
    if (isRolloverDue(run)) return SUSPENDED;
    const ready = (): boolean => state.taken !== null || hasToAsk(state) || isRolloverDue(run);
    await scope.effects.wait({ untilMs: timeoutAt, ready, summary: label });
  }
}

function asOpenWait(visit: Visit<Config>, state: EventState): OpenEventWait {
  const asked = new Set(state.missed.map(({ eventId }) => eventId));
  return {
    seq: visit.seq,
    state,
    passes(arrived) {
      if (asked.has(arrived.id)) return false;
      asked.add(arrived.id);
      const message = whyMissed(visit, arrived);
      if (message === null) return true;
      state.missed = [...state.missed, { eventId: arrived.id, message }].slice(-MOST_MISSED);
      openWait(visit.run, visit.seq, waitingFor(visit, state));
      return false;
    },
  };
}

/** Why the filter does not let an event through, an error of it included; `null`: it does. */
function whyMissed({ run, scope, config: { filter } }: Visit<Config>, arrived: CloudEvent): string | null {
  if (filter === null) return null;
  try {
    const result = filter.expression.evaluate({ ...namesFor(scope), event: arrived }, run.meter);
    if (result === true) return null;
    return result === false ? 'the filter is false' : 'the filter is neither true nor false';
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return `the filter cannot be evaluated: ${error.message}`;
  }
}

/** Tells the store with the next wait, and people now. What was kept for this wait may be for another. */
function end({ run, seq }: Visit<Config>, { waitId, taken }: EventState): void {
  const took = taken?.id ?? null;
  inboxOf(run).ended.push({ waitId, took });
  const waiting = run.waiting.get(seq);
  if (waiting?.event) run.waiting.set(seq, { ...waiting, event: { ...waiting.event, took } });
  giveOut(run);
}

function came(nodeId: string, taken: CloudEvent): Step {
  const otherwise = { type: 'WAIT_TIMEOUT', message: `The event ${taken.type} came`, nodeId };
  return { kind: 'named', name: taken.type, good: true, output: taken as unknown as Json, otherwise };
}

function timedOut(nodeId: string, { types, correlation }: EventState): Step {
  const message = `No event came in time: ${eventInWords(types, correlation)}`;
  return {
    kind: 'named',
    name: 'timeout',
    good: false,
    output: null,
    otherwise: { type: 'WAIT_TIMEOUT', message, nodeId },
  };
}

function waitingFor({ nodeId, startedAt }: Visit<Config>, state: EventState): Waiting {
  const { waitId, types, correlation, timeoutAt, missed } = state;
  return {
    nodeId,
    kind: 'event',
    since: startedAt,
    until: timeoutAt,
    for: eventInWords(types, correlation),
    event: { waitId, types, correlation, missed, took: null },
  };
}

function scalar(path: string, value: Json): Scalar {
  if (typeof value !== 'object' || value === null) return value;
  const what = Array.isArray(value) ? 'a list' : 'an object';
  throw new RunError(
    'EXPRESSION_ERROR',
    `correlate ${path} must be a text, a number, true, false or null, not ${what}`,
    {
      path,
    },
  );
}
