/** What reaches a reference run from outside: decisions, events, requests to cancel. */
import { allNodes } from '../../definitions/all-nodes.ts';
import type { EventNode, Json, Node } from '../../definitions/types.ts';
import { expression, guarded, namesOf, type EventWait, type Task, type World } from './world.ts';

interface Decision {
  readonly nodeId: string;
  readonly by: string;
  readonly outcome: string;
  readonly at: number;
}

const OUTCOMES = ['approved', 'rejected'];

/** Who has voted has voted; what is settled is settled. */
export function judge(task: Task, { by, outcome, at }: Decision): void {
  if (task.settled !== null || task.votes.some((vote) => vote.by === by)) return;
  task.votes.push({ by, outcome, at });
  const needed = outcome === OUTCOMES[0] ? task.quorum : 1;
  if (task.votes.filter((vote) => vote.outcome === outcome).length >= needed) task.settled = outcome;
}

/** One that fits several tasks, or may, is given to none; one that comes before its node is kept; after it, it is too late. */
export function decide(world: World, decision: Decision): void {
  const { nodeId } = decision;
  const [task, other] = world.tasks.filter((one) => one.nodeId === nodeId);
  if (task && other) return;
  if (task) return judge(task, decision);
  const isLate = world.trace.some((line) => line.nodeId === nodeId);
  if (!isLate && !isRepeated(world.definition.nodes, nodeId)) world.early.push(decision);
}

/** Whether a node stands in a `forEach`, so that there may be several of it at once. */
function isRepeated(nodes: readonly Node[], nodeId: string): boolean {
  return allNodes(nodes).some(
    ({ type, config }) => type === 'forEach' && allNodes(config.nodes).some(({ id }) => id === nodeId),
  );
}

/** Gives what has arrived to the waits that mean it, the first to the first; `null`: nothing new. Whether one took some. */
export function deliver(world: World, event: { readonly [field: string]: Json } | null): boolean {
  const { inbox } = world;
  let isTaken = false;
  if (event !== null && !inbox.some((known) => known.event['id'] === event['id'])) inbox.push({ event, taken: false });
  for (const arrived of inbox) {
    if (arrived.taken) continue;
    const taker = world.eventWaits.find((wait) => wait.took === null && means(world, wait, arrived.event));
    if (taker === undefined) continue;
    arrived.taken = true;
    taker.took = arrived.event;
    isTaken = true;
  }
  return isTaken;
}

function means(world: World, { visit, correlation }: EventWait, event: { readonly [field: string]: Json }): boolean {
  const { event: types, filter } = (visit.node as EventNode).config;
  if (![types].flat().some((type) => type === event['type'])) return false;
  const isRelated = Object.entries(correlation).every(([path, wanted]) => at(event, path.split('.')) === wanted);
  if (!isRelated || filter === undefined) return isRelated;
  return guarded(null, () => expression({ ...namesOf(world, visit.scope), event }, filter)) === true;
}

function at(value: Json, [first, ...rest]: readonly string[]): Json | undefined {
  if (first === undefined) return value;
  return typeof value === 'object' && value !== null
    ? at((value as { [key: string]: Json })[first] ?? null, rest)
    : undefined;
}
