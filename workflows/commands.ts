/**
 * Carrying out one command: its slot, its records, and what becomes of its end.
 *
 * Invariants:
 * 1. Every attempt, also after a wait for a worker, has the same command id.
 * 2. A command that waits for a slot has not been given: it can be cancelled, and goes on in fresh histories.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import type { Given } from './checkpoint.ts';
import { type RunContext, record } from './context.ts';
import type { Effects } from './effects.ts';
import { turnOf } from './in-slot.ts';
import { awaitHandler, isMissingHandler, rememberMissing } from './missing-handler.ts';
import type { CommandOrder } from './orders.ts';
import { SUSPENDED } from './outcome.ts';

export type CommandEnd =
  | { readonly kind: 'success'; readonly output: Json }
  | { readonly kind: 'error'; readonly error: ErrorInfo };

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
 * One promise a command: Temporal's sandbox hears of each that is made, and of its end.
 */
export function carryOut<T>(run: RunContext, order: CommandOrder, at: CarryOut<T>): Promise<T | typeof SUSPENDED> {
  if (at.given.missing) return carryOutOnceFound(run, order, at);
  const ticket = run.slots.take();
  if (ticket === null) return carryOutNow(run, order, at);
  const { effects, then } = at;
  return turnOf(ticket, run, { effects, summary: order.summary }).then(
    (isMine) => (isMine ? carryOutNow(run, order, at) : SUSPENDED),
    (rejection: unknown) => then(failedEnd(rejection, order, effects)),
  );
}

function carryOutNow<T>(run: RunContext, order: CommandOrder, at: CarryOut<T>): Promise<T | typeof SUSPENDED> {
  const { effects, given } = at;
  tell(run, order, { given, end: null });
  return effects.runCommand(withTimeLeft(order, given, effects.now())).then(
    (output) => {
      run.slots.free();
      return finish(run, order, { ...at, end: { kind: 'success', output } });
    },
    (rejection: unknown) => {
      run.slots.free();
      const end = failedEnd(rejection, order, effects);
      if (!isMissingHandler(end)) return finish(run, order, { ...at, end });
      rememberMissing(given, end, effects.now());
      return carryOutOnceFound(run, order, at);
    },
  );
}

function finish<T>(run: RunContext, order: CommandOrder, { given, then, end }: CarryOut<T> & { end: CommandEnd }): T {
  tell(run, order, { given, end });
  return then(end);
}

async function carryOutOnceFound<T>(
  run: RunContext,
  order: CommandOrder,
  at: CarryOut<T>,
): Promise<T | typeof SUSPENDED> {
  const { effects, given } = at;
  const attempt = (): Promise<CommandEnd> => ask(withTimeLeft(order, given, effects.now()), effects);
  const end = await awaitHandler(order, { ...at, run, attempt });
  return end.kind === 'suspended' ? SUSPENDED : finish(run, order, { ...at, end });
}

/** The deadline counts from when the command was given, in whichever history. */
function withTimeLeft(order: CommandOrder, given: Given, now: number): CommandOrder {
  const { deadlineMs } = order;
  return deadlineMs === null ? order : { ...order, deadlineMs: Math.max(1, given.at + deadlineMs - now) };
}

function failedEnd(rejection: unknown, { nodeId }: CommandOrder, effects: Effects): CommandEnd & { kind: 'error' } {
  return { kind: 'error', error: { ...effects.describe(rejection), nodeId } };
}

async function ask(order: CommandOrder, effects: Effects): Promise<CommandEnd> {
  try {
    return { kind: 'success', output: await effects.runCommand(order) };
  } catch (rejection) {
    return failedEnd(rejection, order, effects);
  }
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
