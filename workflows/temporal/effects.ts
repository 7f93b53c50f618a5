/**
 * The Effects port bound to Temporal.
 *
 * Invariants:
 * 1. No rule of the language lives here; each function is one call of the SDK.
 * 2. One command of the walk is one activity, one wait at most one timer: as many history events as hand-written code.
 * 3. Records leave through a sink, in one batch per activation, and add no event.
 */
import { CancellationScope, condition, sleep, workflowInfo } from '@temporalio/workflow';
import type { ErrorInfo } from '../../definitions/errors.ts';
import { max, min } from '../../definitions/intrinsics.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { CancellableEffects, Effects, Wait } from '../effects.ts';
import { startChild } from './child.ts';
import { RunClock } from './clock.ts';
import { runCommand } from './command.ts';
import { emit, registerWait } from './events.ts';
import { fromFailure } from './failures.ts';
import { LocalTurns } from './local-turns.ts';
import { notify } from './notify.ts';
import { Story } from './story.ts';
import { resolveTime } from './time.ts';
import { WalkScope } from './walk-scope.ts';
import type { RecordsOf } from './wire.ts';

/**
 * Pauses by which a long walk without an effect hands the thread back. Each is twice as long as the one before, so that
 * a walk that never ends leaves the worker to the others; an effect begins them afresh.
 */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 1000;

/** How the bound port sees its history, beside what Temporal tells. */
export interface Binding {
  readonly of: RecordsOf;
  readonly rolloverEvents: number | null;
  /** Signals and updates handled in this history. */
  readonly received: { signals: number; updates: number };
}

/** The port of one run, to be made in a `WalkScope` that is not cancelled, and the ways to hand over the records of a handler that does not wait. */
export interface RunEffects extends Effects {
  flush(): void;
  /** Resolves when what nobody waits for any more has ended too: the run may close. */
  allEnded(): Promise<void>;
  /** After the messages at hand have been handled: thousands that come at once are one batch. */
  flushSoon(): void;
}

export function temporalEffects(binding: Binding): RunEffects {
  const story = new Story(binding.of);
  const root = WalkScope.current() as WalkScope;
  const clock = new RunClock();
  const bound = { ...binding, pauseMs: FIRST_PAUSE_MS, children: 0, clock, locals: new LocalTurns(clock) };
  return {
    ...port(root, story, bound),
    allEnded: () => bound.locals.allEnded(),
    flush: () => story.flush(),
    flushSoon: () => story.flushSoon(),
  };
}

/** `children`: runs begun in this history. */
type Bound = Binding & { pauseMs: number; children: number; readonly clock: RunClock; readonly locals: LocalTurns };

function port(scope: WalkScope, story: Story, binding: Bound): CancellableEffects {
  const { of, clock, locals } = binding;
  const inScope = <T>(body: () => Promise<T>): Promise<T> => {
    story.flush();
    return locals.follow(CancellationScope.current() === scope ? body() : scope.enter(body));
  };
  const afresh = <T>(effect: () => Promise<T>): Promise<T> => {
    binding.pauseMs = FIRST_PAUSE_MS;
    return inScope(effect);
  };
  return {
    now: () => clock.now(),
    runCommand: (order) => afresh(() => runCommand(order, of, locals)),
    startChild(order) {
      binding.children += 1;
      return afresh(() => startChild(order, locals)).then((child) => ({
        ...child,
        result: () => inScope(child.result),
      }));
    },
    registerWait: (order) => afresh(() => registerWait(order, of)),
    emit: (order) => afresh(() => emit(order, of)),
    resolveTime: (question) => afresh(() => resolveTime(question, of, locals)),
    notify: (notice) => afresh(() => notify(notice, binding.of)),
    wait: (wait) => afresh(() => waitFor(wait, binding)),
    describe: (rejection): ErrorInfo => fromFailure(rejection),
    yield() {
      const pauseMs = binding.pauseMs;
      binding.pauseMs = min(2 * pauseMs, LONGEST_PAUSE_MS);
      return inScope(() => sleep(pauseMs, { summary: 'yield' }));
    },
    rollover: () => rollover(binding),
    record: (line) => story.add(line),
    openScope: () => port(new WalkScope({ cancellable: true, parent: scope }), story, binding),
    run: (body) => scope.enter(body),
    cancel: () => scope.cancel(),
  };
}

async function waitFor({ untilMs, ready, summary }: Wait, { clock, locals }: Bound): Promise<void> {
  if (untilMs === null) return ready ? locals.before(ready, () => condition(ready)) : condition(() => false);
  const ms = max(1, untilMs - clock.now());
  const isReady = ready
    ? await locals.before(ready, () => condition(ready, ms, { summary }))
    : await sleep(ms, { summary });
  if (!isReady) clock.fired(untilMs);
}

function rollover({ rolloverEvents, received, children }: Bound): 'no' | 'soon' | 'now' {
  const { continueAsNewSuggested, historyLength, historySize } = workflowInfo();
  const soon = rolloverEvents ?? LIMITS.historyEvents;
  if (historyLength >= 2 * soon || historySize >= LIMITS.historyBytes) return 'now';
  if (received.updates >= LIMITS.updatesPerHistory || received.signals >= LIMITS.signalsPerHistory) return 'now';
  if (children >= LIMITS.childrenPerHistory) return 'now';
  return continueAsNewSuggested || historyLength >= soon ? 'soon' : 'no';
}
