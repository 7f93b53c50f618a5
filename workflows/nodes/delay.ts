/** `delay`: waits for a moment, which is fixed when the node is entered. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { MAX_DURATION_MS, parseDuration } from '../../definitions/duration.ts';
import { RunError } from '../../definitions/errors.ts';
import { isoTime, parseTimestamp } from '../../definitions/timestamps.ts';
import type { DelayNode, Json } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import { cancelledError, evaluate, openWait, type Visit } from '../context.ts';
import { SUSPENDED, type Step } from '../outcome.ts';
import type { NodeType } from './node-type.ts';

type State = Extract<NodeState, { kind: 'delay' }>;

interface Config {
  readonly template: CompiledTemplate;
  /** The moment at which the delay ends, in ms since 1970. */
  dueAt(value: Json, now: number): number;
}

export const delay: NodeType<DelayNode, Config, State> = {
  compile({ config }) {
    if (config.delayMs !== undefined) return { template: compileTemplate(config.delayMs), dueAt: afterMs };
    if (config.duration !== undefined) return { template: compileTemplate(config.duration), dueAt: afterDuration };
    return { template: compileTemplate(config.until ?? null), dueAt: atTimestamp };
  },

  enter({ run, frame, config, startedAt }) {
    return { kind: 'delay', dueAt: config.dueAt(evaluate(run, frame, config.template), startedAt) };
  },

  proceed(visit, state) {
    const done: Step = { kind: 'success', output: null };
    return state.dueAt <= visit.run.effects.now() ? done : waitUntilDue(visit, state, done);
  },
};

async function waitUntilDue(
  { run, nodeId, label, seq, startedAt }: Visit<Config>,
  { dueAt }: State,
  done: Step,
): Promise<Step> {
  const waiting = { nodeId, kind: 'delay', since: startedAt, until: dueAt, for: `the time ${isoTime(dueAt)}` } as const;
  openWait(run, seq, waiting);
  try {
    while (run.effects.now() < dueAt) {
      if (run.effects.rolloverDue()) return SUSPENDED;
      await run.scope.wait({ untilMs: dueAt, ready: () => run.effects.rolloverDue(), summary: label });
    }
    return done;
  } catch (rejection) {
    if (run.effects.describe(rejection).type !== 'CANCELLED') throw rejection;
    return run.effects.now() >= dueAt ? done : { kind: 'error', error: cancelledError(run, nodeId) };
  }
}

function afterMs(value: Json, now: number): number {
  const ms = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= MAX_DURATION_MS))
    throw refused('delayMs', 'milliseconds, from 0 to 100 years', value);
  return now + Math.ceil(ms);
}

function afterDuration(value: Json, now: number): number {
  if (typeof value !== 'string') throw refused('duration', 'a duration such as "2h" or "PT2H"', value);
  return now + parseDuration(value);
}

function atTimestamp(value: Json): number {
  const at = typeof value === 'string' ? parseTimestamp(value) : null;
  if (at === null) throw refused('until', 'a timestamp with an offset such as "2027-01-31T12:00:00Z"', value);
  return at;
}

function refused(field: string, expected: string, value: Json): RunError {
  const shown = JSON.stringify(value).slice(0, 200);
  return new RunError('EXPRESSION_ERROR', `${field} must be ${expected}, not ${shown}`, { field, value: shown });
}
