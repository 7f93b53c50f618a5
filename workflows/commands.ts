/**
 * Carrying out one command: its records, and the wait for a handler that no worker has yet.
 *
 * Invariants:
 * 1. Every attempt, also after a wait for a worker, has the same command id.
 * 2. The wait for a worker counts no attempt and ends at the command's deadline.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import { closeWait, openWait, type RunContext, record } from './context.ts';
import type { CommandOrder, Effects } from './effects.ts';

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
  readonly then: (end: CommandEnd) => T;
}

/**
 * Carries `order` out and gives what `then` makes of its end; rejects only when that throws.
 * One promise a command: each that is made in Temporal's sandbox costs it a stack trace.
 */
export function carryOut<T>(run: RunContext, order: CommandOrder, at: CarryOut<T>): Promise<T> {
  const { effects } = at;
  const orderedAt = effects.now();
  const seq = ++run.checkpoint.counts.commands;
  tell(run, order, { seq, orderedAt, end: null });
  const finish = (end: CommandEnd): T => {
    tell(run, order, { seq, orderedAt, end });
    return at.then(end);
  };
  return effects.runCommand(order).then(
    (output) => finish({ kind: 'success', output }),
    (rejection: unknown) => {
      const end = failedEnd(rejection, order, effects);
      if (end.error.type !== 'HANDLER_NOT_FOUND') return finish(end);
      return askUntilFound(run, { order, orderedAt, first: end.error, effects, seq: at.seq }).then(finish);
    },
  );
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

async function askUntilFound(
  run: RunContext,
  ask: { order: CommandOrder; orderedAt: number; first: ErrorInfo; effects: Effects; seq: number },
): Promise<CommandEnd> {
  const { order, effects, seq } = ask;
  const deadlineAt = order.deadlineMs === null ? null : ask.orderedAt + order.deadlineMs;
  const waiting = {
    nodeId: order.nodeId,
    kind: 'handler' as const,
    since: effects.now(),
    until: deadlineAt,
    for: `a worker with a handler for the command ${order.type} version ${order.version}`,
  };
  openWait(run, seq, waiting);
  try {
    for (let pauseMs = ASK_AGAIN_MS; ; pauseMs = Math.min(pauseMs * 2, ASK_AGAIN_MAX_MS)) {
      const askAt = effects.now() + pauseMs;
      await effects.wait({ untilMs: deadlineAt === null ? askAt : Math.min(askAt, deadlineAt), summary: waiting.for });
      const deadlineMs = deadlineAt === null ? null : deadlineAt - effects.now();
      if (deadlineMs !== null && deadlineMs <= 0) return { kind: 'error', error: noHandlerInTime(order, ask.first) };
      const end = await attempt({ ...order, deadlineMs }, effects);
      if (end.kind === 'success' || end.error.type !== 'HANDLER_NOT_FOUND') return end;
    }
  } catch (rejection) {
    return failedEnd(rejection, order, effects);
  } finally {
    closeWait(run, seq, waiting);
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

function tell(
  run: RunContext,
  order: CommandOrder,
  told: { seq: number; orderedAt: number; end: CommandEnd | null },
): void {
  const { end } = told;
  const error = end?.kind === 'error' ? end.error : null;
  record(run, {
    kind: 'command',
    seq: told.seq,
    commandId: order.commandId,
    nodeId: order.nodeId,
    type: order.type,
    version: order.version,
    payload: order.payload,
    state:
      end === null ? 'executing' : error === null ? 'success' : error.type === 'CANCELLED' ? 'cancelled' : 'failed',
    result: end?.kind === 'success' ? end.output : null,
    error,
    orderedAt: told.orderedAt,
    finishedAt: end === null ? null : run.effects.now(),
    undoes: order.undoes,
  });
}
