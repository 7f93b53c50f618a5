/** Nodes of the reference that pause: for a handler, for time, for people, for events, for another run. */
import type {
  ActionNode,
  ApprovalNode,
  DelayNode,
  EmitNode,
  EventNode,
  WorkflowNode,
} from '../../definitions/types.ts';
import { asOutcome, carryOut, ms, remember } from './commands.ts';
import type { Steps } from './fibers.ts';
import { deliver, judge } from './outside.ts';
import {
  failed,
  fault,
  guarded,
  isFailed,
  isStopping,
  namesOf,
  type EventWait,
  type Outcome,
  type Task,
  template,
  use,
  type Visit,
  within,
  type World,
} from './world.ts';

const cancelled = ({ node }: Visit): Outcome => failed(fault('CANCELLED', node.id));

export function* action(world: World, visit: Visit): Steps<Outcome> {
  const { scope, node, id } = visit;
  const { command, payload: text = {}, undo = false } = (node as ActionNode).config;
  const payload = guarded(node.id, () => ({ is: template(namesOf(world, scope), text) }));
  if (isFailed(payload)) return payload;
  const order = { id, visit, type: command, payload: payload.is, undoes: null, rollback: false, scope };
  const end = yield* carryOut(world, { ...order, awaited: undo !== false });
  if ('output' in end) remember(world, visit, { payload: payload.is, output: end.output });
  return asOutcome(end);
}

export function* delay(world: World, visit: Visit): Steps<Outcome> {
  const { scope, node, startedAt } = visit;
  const { delayMs, duration } = (node as DelayNode).config;
  const length = guarded(node.id, () => template(namesOf(world, scope), delayMs ?? duration ?? null));
  if (isFailed(length)) return length;
  const until = startedAt + (typeof length === 'string' ? ms(length) : Number(length));
  if (until > world.fibers.now) {
    world.waiting.set(visit, 'delay');
    if (yield within(world, scope, { until })) return cancelled(visit);
  }
  return { kind: 'success', output: null };
}

export function* emit(world: World, visit: Visit): Steps<Outcome> {
  const { scope, node, id, startedAt } = visit;
  const { event: type, data: text = null } = (node as EmitNode).config;
  const data = guarded(node.id, () => ({ is: template(namesOf(world, scope), text) }));
  if (isFailed(data)) return data;
  if (yield within(world, scope, { until: world.fibers.now })) return cancelled(visit);
  const time = new Date(startedAt).toISOString();
  world.emitted.push({ id, data: data.is });
  const isTaken = deliver(world, { id, type, source: `fermata:${world.definition.id}`, time, data: data.is });
  // It goes on at the moment at which another branch does.
  if (isTaken) world.fibers.tied = true;
  return { kind: 'success', output: { id } };
}

export function* event(world: World, visit: Visit): Steps<Outcome> {
  const { scope, node, startedAt } = visit;
  const { correlate = {}, timeout } = (node as EventNode).config;
  const correlation = guarded(node.id, () => ({ is: template(namesOf(world, scope), correlate) }));
  if (isFailed(correlation)) return correlation;
  const wait: EventWait = { visit, correlation: correlation.is as EventWait['correlation'], took: null };
  world.waiting.set(visit, 'event');
  // It asks what is there, which takes a step.
  const asked = yield within(world, scope, { until: world.fibers.now });
  world.eventWaits.push(wait);
  if (!asked) deliver(world, null);
  const until = timeout === undefined ? null : startedAt + ms(timeout);
  if (!asked && wait.took === null) yield within(world, scope, { until, ready: () => wait.took !== null });
  world.eventWaits.splice(world.eventWaits.indexOf(wait), 1);
  const bad = fault('WAIT_TIMEOUT', node.id);
  const { took } = wait;
  if (took !== null) {
    return { kind: 'named', name: (took as { readonly type: string }).type, good: true, output: took, bad };
  }
  if (isStopping(world, scope)) return cancelled(visit);
  return { kind: 'named', name: 'timeout', good: false, output: null, bad };
}

export function* approval(world: World, visit: Visit): Steps<Outcome> {
  const { scope, node, startedAt, number } = visit;
  const { quorum = 1, timeout } = (node as ApprovalNode).config;
  const task: Task = { nodeId: node.id, votes: [], settled: null, quorum, visit: number };
  world.tasks.push(task);
  world.waiting.set(visit, 'approval');
  for (const decision of world.early.splice(0)) {
    if (decision.nodeId === node.id) judge(task, decision);
    else world.early.push(decision);
  }
  const until = timeout === undefined ? null : startedAt + ms(timeout);
  if (task.settled === null) yield within(world, scope, { until, ready: () => task.settled !== null });
  world.tasks.splice(world.tasks.indexOf(task), 1);
  if (task.settled === null && (until === null || world.fibers.now < until)) return cancelled(visit);
  const name = task.settled ?? 'timeout';
  const decisions = task.votes.map(({ by, outcome, at }) => {
    return { by: { id: by }, outcome, data: null, comment: null, at: new Date(at).toISOString() };
  });
  const output = { outcome: name, decisions, data: null };
  const bad = fault(name === 'timeout' ? 'WAIT_TIMEOUT' : 'NOT_APPROVED', node.id);
  return { kind: 'named', name, good: name === 'approved', output, bad };
}

/** The run that it begins is answered by mocks. */
export function* child(world: World, visit: Visit): Steps<Outcome> {
  const { scope, node, startedAt, id } = visit;
  const { definitionId = '', wait = true, timeout } = (node as WorkflowNode).config;
  const runId = `${definitionId}/${id.replaceAll('/', ':')}`;
  const limitAt = wait ? startedAt + ms(timeout) : Infinity;
  world.waiting.set(visit, 'workflow');
  if (yield within(world, scope, { until: world.fibers.now })) return cancelled(visit);
  if (!wait) return { kind: 'success', output: { runId } };
  use(world, `mock ${definitionId}`, visit);
  const list = world.mocks.workflows?.[definitionId] ?? {};
  const all = 'length' in list ? list : [list];
  const at = world.replies.get(`the run ${definitionId}`) ?? 0;
  world.replies.set(`the run ${definitionId}`, at + 1);
  const { takes = '0ms', output = {}, error } = all[Math.min(at, all.length - 1)] ?? {};
  const endsAt = world.fibers.now + ms(takes);
  if (yield within(world, scope, { until: Math.min(endsAt, limitAt) })) return cancelled(visit);
  if (endsAt > limitAt) return failed(fault('TIMEOUT', node.id));
  return error ? failed(fault('CHILD_FAILED', node.id)) : { kind: 'success', output };
}
