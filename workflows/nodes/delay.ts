/**
 * `delay`: waits for a moment, which is fixed when the node is entered.
 *
 * Invariants:
 * 1. Lengths and fixed offsets are counted here. Named zones, cron patterns and calendars are a question to the worker,
 *    whose answer is kept in the state before the wait begins, so a visit that goes on elsewhere does not ask again.
 */
import { MAX_DURATION_MS, parsePeriod } from '../../definitions/duration.ts';
import { RunError } from '../../definitions/errors.ts';
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { addPeriod } from '../../definitions/time/months.ts';
import type { MomentQuestion, TimeQuestion } from '../../definitions/time/question.ts';
import { fixedZone, momentOf } from '../../definitions/time/zone.ts';
import { isoTime, parseLocalTime, parseTimestamp } from '../../definitions/timestamps.ts';
import type { DelayNode, Json } from '../../definitions/types.ts';
import type { DelayState } from '../checkpoint.ts';
import { isRolloverDue, openWait } from '../context.ts';
import { type Outcome, SUSPENDED, type Step } from '../outcome.ts';
import { errorAt, evaluate, type Visit } from '../scope.ts';
import { askTime } from '../time.ts';
import type { NodeType } from './node-type.ts';

interface Config {
  readonly value: CompiledTemplate;
  readonly read: ReadEnd;
  readonly timeZone: CompiledTemplate;
  readonly calendar: CompiledTemplate | null;
}

/** Where a delay ends, as the clocks have it: a length from its begin, a moment, or what the worker is to be asked. */
type End = { readonly ms: number } | { readonly at: number | MomentQuestion };
type ReadEnd = (value: Json, place: { readonly from: number; readonly timeZone: string }) => End;

export const delay: NodeType<DelayNode, Config, DelayState> = {
  compile({ config }) {
    const { delayMs, duration, until, cron, timeZone = 'UTC', calendar } = config;
    const shared = {
      timeZone: compileTemplate(timeZone),
      calendar: calendar === undefined ? null : compileTemplate(calendar),
    };
    if (delayMs !== undefined) return { ...shared, value: compileTemplate(delayMs), read: afterMs };
    if (duration !== undefined) return { ...shared, value: compileTemplate(duration), read: afterDuration };
    if (cron !== undefined) return { ...shared, value: compileTemplate(cron), read: atFiring };
    return { ...shared, value: compileTemplate(until ?? null), read: atTimestamp };
  },

  enter({ scope, config, startedAt: from }) {
    const timeZone = nameIn('timeZone', evaluate(scope, config.timeZone));
    const end = config.read(evaluate(scope, config.value), { from, timeZone });
    if (config.calendar !== null) {
      const reference = { calendar: nameIn('calendar', evaluate(scope, config.calendar)), version: null };
      return unknownYet(
        'ms' in end
          ? { kind: 'working', from, ms: end.ms, ...reference }
          : { kind: 'opening', of: end.at, ...reference },
      );
    }
    const at = 'ms' in end ? from + end.ms : end.at;
    return typeof at === 'number' ? { kind: 'delay', dueAt: at } : unknownYet(at);
  },

  proceed(visit, state) {
    return state.dueAt === null ? askAndWait(visit, state) : waitUntil(visit, state.dueAt);
  },
};

const DONE: Outcome = { kind: 'success', output: null };

function unknownYet(question: TimeQuestion): DelayState {
  return { kind: 'delay', dueAt: null, question };
}

async function askAndWait(visit: Visit<Config>, state: DelayState): Promise<Step> {
  try {
    state.dueAt = await askTime(visit.scope, state.question as TimeQuestion);
  } catch (rejection) {
    return interrupted(visit, rejection);
  }
  return await waitUntil(visit, state.dueAt);
}

function waitUntil(visit: Visit<Config>, dueAt: number): Step | Promise<Step> {
  return dueAt <= visit.run.effects.now() ? DONE : waitOn(visit, dueAt);
}

async function waitOn(visit: Visit<Config>, dueAt: number): Promise<Step> {
  const { run, scope, nodeId, label, seq, startedAt } = visit;
  const { effects } = run;
  openWait(run, seq, { nodeId, kind: 'delay', since: startedAt, until: dueAt, for: `the time ${isoTime(dueAt)}` });
  try {
    while (effects.now() < dueAt) {
      if (isRolloverDue(run)) return SUSPENDED;
      // One timer reaches no further than Temporal's own arithmetic.
      const untilMs = Math.min(dueAt, effects.now() + MAX_DURATION_MS);
      await scope.effects.wait({ untilMs, ready: () => isRolloverDue(run), summary: label });
    }
    return DONE;
  } catch (rejection) {
    return effects.now() >= dueAt ? DONE : interrupted(visit, rejection);
  }
}

/** What a rejection of the port means here; what is none of its is thrown on. */
function interrupted(visit: Visit<Config>, rejection: unknown): Outcome {
  return { kind: 'error', error: errorAt(visit, visit.run.effects.describe(rejection)) };
}

const afterMs: ReadEnd = (value) => {
  const ms = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= MAX_DURATION_MS))
    throw refused('delayMs', 'milliseconds, from 0 to 100 years', value);
  return { ms: Math.ceil(ms) };
};

const afterDuration: ReadEnd = (value, { from, timeZone }) => {
  if (typeof value !== 'string') throw refused('duration', 'a duration such as "2h", "PT2H" or "P1M"', value);
  const period = parsePeriod(value);
  if (period.months === 0) return { ms: period.ms };
  const zone = fixedZone(timeZone);
  return { at: zone === null ? { kind: 'add', from, duration: value, timeZone } : addPeriod(from, period, zone) };
};

const atTimestamp: ReadEnd = (value, { timeZone }) => {
  const text = typeof value === 'string' ? value : '';
  const at = parseTimestamp(text);
  if (at !== null) return { at };
  const local = parseLocalTime(text);
  if (local === null) throw refused('until', 'a timestamp such as "2027-01-31T12:00:00Z" or "2027-01-31T12:00"', value);
  const zone = fixedZone(timeZone);
  return { at: zone === null ? { kind: 'local', text, timeZone } : momentOf(local, zone) };
};

const atFiring: ReadEnd = (value, { from, timeZone }) => ({
  at: { kind: 'cron', cron: nameIn('cron', value), timeZone, after: from },
});

function nameIn(field: 'timeZone' | 'calendar' | 'cron', value: Json): string {
  if (typeof value === 'string' && value !== '') return value;
  throw refused(field, 'a text', value);
}

function refused(field: string, expected: string, value: Json): RunError {
  const shown = JSON.stringify(value).slice(0, 200);
  return new RunError('EXPRESSION_ERROR', `${field} must be ${expected}, not ${shown}`, { field, value: shown });
}
