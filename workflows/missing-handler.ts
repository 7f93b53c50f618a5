/**
 * The wait for a handler that no worker has yet: the command is asked again until one answers.
 *
 * Invariants:
 * 1. It counts no attempt and ends at the command's deadline.
 * 2. When it is asked next is part of the state, so the wait goes on in fresh histories as if nothing had been.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Given, Missing } from './checkpoint.ts';
import type { CommandEnd } from './commands.ts';
import { closeWait, isRolloverDue, openWait, type RunContext } from './context.ts';
import type { Effects, Wait } from './effects.ts';
import type { CommandOrder } from './orders.ts';
import { SUSPENDED } from './outcome.ts';

/** First and longest pause before a command without a worker is asked again. */
const ASK_AGAIN_MS = 5_000;
const ASK_AGAIN_MAX_MS = 60_000;

/** The type of the error by which a worker says that it has no handler. */
const MISSING = 'HANDLER_NOT_FOUND';

export interface Asking {
  readonly run: RunContext;
  readonly effects: Effects;
  /** Of the visit. */
  readonly seq: number;
  readonly given: Given;
  /** Asks once. */
  attempt(): Promise<CommandEnd>;
}

/** Whether no worker had a handler. */
export function isMissingHandler(end: CommandEnd): end is CommandEnd & { readonly kind: 'error' } {
  return end.kind === 'error' && end.error.type === MISSING;
}

/** Remembers that no worker had a handler, and when to ask again. */
export function rememberMissing(given: Given, { error }: { readonly error: ErrorInfo }, now: number): void {
  const pause = Math.min(ASK_AGAIN_MAX_MS, now - given.at + ASK_AGAIN_MS);
  given.missing = { error, askAt: now + pause };
}

/** Asks again until a handler answers; the command has been asked before, and `given.missing` says when it is next. */
export async function awaitHandler(order: CommandOrder, asking: Asking): Promise<CommandEnd | typeof SUSPENDED> {
  const { run, seq, given } = asking;
  const until = order.deadlineMs === null ? null : given.at + order.deadlineMs;
  const summary = `a worker with a handler for the command ${order.type} version ${order.version}`;
  openWait(run, seq, { nodeId: order.nodeId, kind: 'handler', since: given.at, until, for: summary });
  const end = await askAtIntervals(order, { ...asking, summary, until: until ?? Infinity });
  if (end.kind !== 'suspended') closeWait(run, seq);
  return end;
}

type Interval = Asking & { readonly summary: string; readonly until: number };

async function askAtIntervals(order: CommandOrder, asking: Interval): Promise<CommandEnd | typeof SUSPENDED> {
  const { run, effects, given, summary, until } = asking;
  for (;;) {
    const missing = given.missing as Missing;
    const untilMs = Math.min(missing.askAt, until);
    while (effects.now() < untilMs) {
      if (isRolloverDue(run)) return SUSPENDED;
      const interrupted = await waitUntil({ untilMs, ready: () => isRolloverDue(run), summary }, effects);
      if (interrupted) return { kind: 'error', error: { ...interrupted, nodeId: order.nodeId } };
    }
    if (effects.now() >= until) return { kind: 'error', error: noHandlerInTime(order, missing.error) };
    run.slots.occupy();
    const end = await asking.attempt();
    run.slots.free();
    if (!isMissingHandler(end)) return end;
    rememberMissing(given, end, effects.now());
  }
}

async function waitUntil(wait: Wait, effects: Effects): Promise<ErrorInfo | null> {
  try {
    await effects.wait(wait);
    return null;
  } catch (rejection) {
    return effects.describe(rejection);
  }
}

function noHandlerInTime(order: CommandOrder, cause: ErrorInfo): ErrorInfo {
  return {
    type: 'DEADLINE',
    message: `No worker had a handler for ${order.type} version ${order.version} within ${order.deadlineMs} ms`,
    nodeId: order.nodeId,
    cause,
  };
}
