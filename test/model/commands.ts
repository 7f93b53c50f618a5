/** Commands of the reference walker: attempts, time limits, a handler that is not there yet, and undo. */
import type { ActionNode, Json } from '../../definitions/types.ts';
import type { MockReply } from '../../testing/mocks.ts';
import type { Pause, Steps } from './fibers.ts';
import {
  type Command,
  type Done,
  type Fault,
  fault,
  isLost,
  isStopping,
  namesOf,
  type Outcome,
  type Scope,
  template,
  use,
  type Visit,
  within,
  type World,
} from './world.ts';

type End = { readonly output: Json } | { readonly error: Fault };

interface Order {
  readonly id: string;
  readonly visit: Visit;
  readonly type: string;
  readonly payload: Json;
  /** The command that it takes back. */
  readonly undoes: string | null;
  readonly rollback: boolean;
  /** An attempt under way is waited for, whatever becomes of the scope. */
  readonly awaited: boolean;
  /** `null`: outside any cancellation. */
  readonly scope: Scope | null;
}

/** Durations of the grammar are all in milliseconds. */
export function ms(text: string | undefined): number {
  return text === undefined ? Infinity : Number(text.slice(0, -'ms'.length));
}

export function* carryOut(world: World, order: Order): Steps<End> {
  const { visit, type, payload, undoes, id } = order;
  const line = { commandId: id, nodeId: visit.node.id, type, payload, undoes, orderedAt: world.fibers.now };
  const command: Command = { ...line, finishedAt: null, state: 'executing', attempts: 0, result: null, error: null };
  world.commands.push(command);
  const end = yield* untilThereIsAHandler(world, order, command);
  world.waiting.delete(order.visit);
  command.finishedAt = world.fibers.now;
  if ('output' in end) {
    command.state = 'success';
    command.result = end.output;
  } else {
    command.state = end.error.type === 'CANCELLED' ? 'cancelled' : 'failed';
    command.error = end.error;
  }
  return end;
}

const ASK_FIRST_MS = 5_000;
const ASK_MOST_MS = 60_000;

/** A command without a handler waits for one; that is no attempt, and ends with `DEADLINE` alone. */
function* untilThereIsAHandler(world: World, order: Order, command: Command): Steps<End> {
  const deadline = ms((order.visit.node as ActionNode).config.deadline);
  const deadlineAt = command.orderedAt + deadline;
  for (;;) {
    const end = yield* attempts(world, order, { command, deadlineAt });
    if (!('error' in end) || end.error.type !== 'HANDLER_NOT_FOUND') return end;
    const pause = Math.min(ASK_MOST_MS, world.fibers.now - command.orderedAt + ASK_FIRST_MS);
    world.waiting.set(order.visit, 'handler');
    const stopped = yield interruptible(world, order, Math.min(world.fibers.now + pause, deadlineAt));
    if (stopped) return { error: fault('CANCELLED', command.nodeId) };
    if (world.fibers.now >= deadlineAt) return { error: fault('DEADLINE', command.nodeId) };
  }
}

function interruptible(world: World, { scope }: Order, until: number): Pause {
  return scope === null ? { until } : within(world, scope, { until });
}

function* attempts(
  world: World,
  order: Order,
  { command, deadlineAt }: { readonly command: Command; readonly deadlineAt: number },
): Steps<End> {
  const { fibers } = world;
  const { nodeId } = command;
  const { retry = {}, timeout = '60000ms' } = (order.visit.node as ActionNode).config;
  const most = Math.max(retry.maxAttempts ?? 3, order.undoes === null ? 0 : 5);
  for (let attempt = 1; ; attempt++) {
    command.attempts += 1;
    use(world, `mock ${order.type}`, command);
    const reply = nextReply(world, order.type);
    const answersAt = fibers.now + (reply.takes === undefined ? 0 : ms(reply.takes));
    const endsAt = Math.min(answersAt, fibers.now + ms(timeout), deadlineAt);
    const stopped = yield order.awaited ? { until: endsAt } : interruptible(world, order, endsAt);
    if (stopped) return { error: fault('CANCELLED', nodeId) };
    if (answersAt <= endsAt && !reply.error) return { output: order.rollback ? null : (reply.output ?? {}) };
    if (answersAt > endsAt && endsAt === deadlineAt) return { error: fault('DEADLINE', nodeId) };
    const type = answersAt > endsAt || !reply.error ? 'TIMEOUT' : reply.error.type;
    const retryable = type === 'TIMEOUT' || (reply.error?.retryable ?? type !== 'HANDLER_NOT_FOUND');
    const isOver = order.scope !== null && isStopping(world, order.scope);
    if (isOver || !retryable || attempt >= most) return { error: fault(type, nodeId) };
    const grown = ms(retry.initialInterval ?? '1000ms') * (retry.backoffCoefficient ?? 2) ** (attempt - 1);
    const nextAt = fibers.now + Math.round(Math.min(grown, ms(retry.maxInterval ?? '60000ms')));
    if (nextAt > deadlineAt) return { error: fault('DEADLINE', nodeId) };
    if (yield interruptible(world, order, nextAt)) return { error: fault('CANCELLED', nodeId) };
  }
}

/** A list is used up attempt by attempt; its last entry repeats. */
function nextReply({ mocks, replies }: World, type: string): MockReply {
  const list = mocks.commands?.[type] ?? {};
  const all = 'length' in list ? list : [list];
  const at = replies.get(type) ?? 0;
  replies.set(type, at + 1);
  return all[Math.min(at, all.length - 1)] as MockReply;
}

/** Remembers a command that has succeeded, with what its undo needs. */
export function remember(world: World, visit: Visit, done: { readonly payload: Json; readonly output: Json }): void {
  const { command, undo = false } = (visit.node as ActionNode).config;
  if (undo === false) return;
  const shared = { visit, lost: isLost(world, visit.scope), gaveUp: false };
  if (undo === true) {
    const payload = { input: done.payload, output: done.output };
    world.undo.push({ ...shared, type: command, payload, rollback: true });
    return;
  }
  const names = namesOf(world, visit.scope);
  const nodes = {
    ...(names.nodes as object),
    [visit.node.id]: { output: done.output, outcome: 'success', error: null },
  };
  const payload = template({ ...names, nodes }, undo.payload ?? {});
  world.undo.push({ ...shared, type: undo.command, payload, rollback: false });
}

/** Takes back what `concerns` names, latest first, outside any cancellation; one that gives up does not stop the others. */
export function* takeBack(world: World, concerns: (done: Done) => boolean): Steps<void> {
  for (;;) {
    const next = world.undo.findLast((done) => !done.gaveUp && concerns(done));
    if (next === undefined) return;
    const { visit, type, payload, rollback } = next;
    const shared = { visit, type, payload, rollback, scope: null, awaited: true };
    const end = yield* carryOut(world, { ...shared, id: `${visit.id}/undo`, undoes: visit.id });
    if ('error' in end) next.gaveUp = true;
    else {
      world.undo.splice(world.undo.indexOf(next), 1);
      const command = world.commands.find(({ commandId }) => commandId === visit.id) as Command;
      command.state = 'rolled_back';
    }
  }
}

/** A failure of a command as the end of its visit. */
export function asOutcome(end: End): Outcome {
  return 'error' in end ? { kind: 'error', error: end.error } : { kind: 'success', output: end.output };
}
