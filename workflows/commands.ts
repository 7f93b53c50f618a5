/**
 * Carrying out one command: its records, and the wait for a handler that no worker has yet.
 *
 * Invariants:
 * 1. Every attempt, also after a wait for a worker, has the same command id.
 * 2. The wait for a worker counts no attempt, ends at the command's deadline, and goes on in fresh histories.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import type { Given } from './checkpoint.ts';
import { closeWait, openWait, type RunContext, record } from './context.ts';
import type { CommandOrder, Effects, Wait } from './effects.ts';
import { SUSPENDED } from './outcome.ts';

export type CommandEnd =
  | { readonly kind: 'success'; readonly output: Json }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

/** First and longest pause before a command without a worker is asked again. */
const ASK_AGAIN_MS = 5_000;
const ASK_AGAIN_MAX_MS = 60_000;

/** Where a command is carried out, and what becomes of its end. */
export interface CarryOut<T> {
  /** The run's scope, or the run itself for an undo. */
  readonly effects: Effects;
  /** Of the visit: lets the wait for a worker show up in what the run waits for. */
  readonly seq: number;
  readonly given: Given;
  readonly then: (end: CommandEnd) => T;
}

/** Numbers a command that is about to be carried out. */
export function give(run: RunContext): Given {
  return { seq: ++run.checkpoint.counts.commands, at: run.effects.now() };
}

/**
 * Carries `order` out and gives what `then` makes of its end; rejects only when that throws. Gives `SUSPENDED` where the
 * wait for a worker should go on in a fresh history: then the same call there goes on with it.
 * One promise a command: each that is made in Temporal's sandbox costs it a stack trace.
 */
export function carryOut<T>(run: RunContext, order: CommandOrder, at: CarryOut<T>): Promise<T | typeof SUSPENDED> {
  const { effects, given } = at;
  tell(run, order, { given, end: null });
  const finish = (end: CommandEnd): T => {
    tell(run, order, { given, end });
    return at.then(end);
  };
  return effects.runCommand(withTimeLeft(order, given, effects.now())).then(
    (output) => finish({ kind: 'success', output }),
    (rejection: unknown) => {
      const end = failedEnd(rejection, order, effects);
      if (end.error.type !== 'HANDLER_NOT_FOUND') return finish(end);
      return askUntilFound(run, order, { ...at, first: end.error }).then((asked) =>
        asked.kind === 'suspended' ? SUSPENDED : finish(asked),
      );
    },
  );
}

/** The deadline counts from when the command was given, in whichever history. */
function withTimeLeft(order: CommandOrder, given: Given, now: number): CommandOrder {
  const { deadlineMs } = order;
  return deadlineMs === null ? order : { ...order, deadlineMs: Math.max(1, given.at + deadlineMs - now) };
}

function failedEnd(rejection: unknown, { nodeId }: CommandOrder, effects: Effects): CommandEnd & { kind: 'error' } {
  return { kind: 'error', error: { ...effects.describe(rejection), nodeId } };
}

async function attempt(order: CommandOrder, effects: Effects): Promise<CommandEnd> {
  try {
    return { kind: 'success', output: await effects.runCommand(order) };
  } catch (rejection) {
    return failedEnd(rejection, order, effects);
  }
}

type Ask = Pick<CarryOut<unknown>, 'effects' | 'seq' | 'given'> & { readonly first: ErrorInfo };

async function askUntilFound(run: RunContext, order: CommandOrder, ask: Ask): Promise<CommandEnd | typeof SUSPENDED> {
  const { seq, given } = ask;
  const until = order.deadlineMs === null ? null : given.at + order.deadlineMs;
  const summary = `a worker with a handler for the command ${order.type} version ${order.version}`;
  openWait(run, seq, { nodeId: order.nodeId, kind: 'handler', since: given.at, until, for: summary });
  const end = await askAtIntervals(order, ask, { untilMs: until, summary });
  if (end.kind !== 'suspended') closeWait(run, seq);
  return end;
}

async function askAtIntervals(order: CommandOrder, ask: Ask, limit: Wait): Promise<CommandEnd | typeof SUSPENDED> {
  const { effects, given } = ask;
  try {
    for (;;) {
      await effects.wait({ ...limit, untilMs: Math.min(askAgainAt(given, effects.now()), limit.untilMs ?? Infinity) });
      const end = await askAgain(order, ask);
      if (end !== null) return end;
    }
  } catch (rejection) {
    return failedEnd(rejection, order, effects);
  }
}

/** `null`: there is still no worker with a handler. */
async function askAgain(
  order: CommandOrder,
  { effects, given, first }: Ask,
): Promise<CommandEnd | typeof SUSPENDED | null> {
  const now = effects.now();
  if (order.deadlineMs !== null && now >= given.at + order.deadlineMs) {
    return { kind: 'error', error: noHandlerInTime(order, first) };
  }
  if (effects.rolloverDue()) return SUSPENDED;
  const end = await attempt(withTimeLeft(order, given, now), effects);
  return end.kind === 'error' && end.error.type === 'HANDLER_NOT_FOUND' ? null : end;
}

/** Pauses of 5 s, 10 s, 20 s, 40 s, then 60 s: told by the clock, so that they go on in a fresh history. */
function askAgainAt(given: Given, now: number): number {
  return now + Math.min(ASK_AGAIN_MAX_MS, now - given.at + ASK_AGAIN_MS);
}

function noHandlerInTime(order: CommandOrder, cause: ErrorInfo): ErrorInfo {
  return {
    type: 'DEADLINE',
    message: `No worker had a handler for ${order.type} version ${order.version} within ${order.deadlineMs} ms`,
    nodeId: order.nodeId,
    cause,
  };
}

function tell(run: RunContext, order: CommandOrder, told: { given: Given; end: CommandEnd | null }): void {
  const { given, end } = told;
  const error = end?.kind === 'error' ? end.error : null;
  record(run, {
    kind: 'command',
    seq: given.seq,
    commandId: order.commandId,
    nodeId: order.nodeId,
    type: order.type,
    version: order.version,
    payload: order.payload,
    state:
      end === null ? 'executing' : error === null ? 'success' : error.type === 'CANCELLED' ? 'cancelled' : 'failed',
    result: end?.kind === 'success' ? end.output : null,
    error,
    orderedAt: given.at,
    finishedAt: end === null ? null : run.effects.now(),
    undoes: order.undoes,
  });
}
