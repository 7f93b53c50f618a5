/** The walk of the reference: one scope, node after node, by the table of `docs/language.md`, section 4. */
import type { Node } from '../../definitions/types.ts';
import type { Steps } from './fibers.ts';
import {
  failed,
  type Fault,
  fault,
  isStopping,
  type Outcome,
  type Scope,
  type ScopeEnd,
  type TraceLine,
  type Visit,
  type World,
} from './world.ts';

export function* walk(world: World, scope: Scope): Steps<ScopeEnd> {
  let at: string | undefined = scope.nodes[0]?.id;
  while (at !== undefined) {
    if (isStopping(world, scope)) return failed(fault('CANCELLED', at));
    const node = scope.nodes.find(({ id }) => id === at) as Node;
    const before = scope.visits.get(node.id) ?? 0;
    if (before >= (node.maxVisits ?? 1000)) return failed(fault('LIMIT_EXCEEDED', node.id));
    scope.visits.set(node.id, before + 1);
    const outcome = yield* visitOf(world, scope, node);
    if (outcome.kind === 'end') return outcome;
    scope.last = node.id;
    if (outcome.kind === 'error' && isStopping(world, scope)) return outcome;
    const way = route(node, outcome);
    if ('leaves' in way) return failed(way.leaves);
    if (way.error) scope.error = way.error;
    at = way.to;
  }
  return { kind: 'ended' };
}

function* visitOf(world: World, scope: Scope, node: Node): Steps<Outcome> {
  const number = scope.visits.get(node.id) as number;
  const startedAt = world.fibers.now;
  const visit: Visit = { scope, node, number, id: `${world.id}/${scope.path}${node.id}/${number}`, startedAt };
  const shared = { nodeId: node.id, path: scope.path, visit: number, startedAt };
  const line: TraceLine = { ...shared, outcome: null, error: null, finishedAt: null };
  world.trace.push(line);
  const work = world.types[node.type](world, visit);
  const outcome = 'kind' in work ? work : yield* work;
  world.waiting.delete(visit);
  line.outcome = nameOf(outcome);
  line.error = outcome.kind === 'error' ? outcome.error : null;
  line.finishedAt = world.fibers.now;
  const error = outcome.kind === 'error' ? outcome.error : outcome.kind === 'success' ? (outcome.error ?? null) : null;
  const output = outcome.kind === 'success' || outcome.kind === 'named' ? outcome.output : null;
  scope.results = { ...scope.results, [node.id]: { output, outcome: nameOf(outcome), error } };
  return outcome;
}

function nameOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'condition':
      return String(outcome.holds);
    case 'jump':
    case 'named':
      return outcome.name;
    case 'end':
      return outcome.ending.state;
    default:
      return outcome.kind;
  }
}

type Way = { readonly to: string | undefined; readonly error?: Fault } | { readonly leaves: Fault };

function route(node: Node, outcome: Exclude<Outcome, { kind: 'end' }>): Way {
  const { nextNodeId, fallbackNodeId, transitions } = node;
  switch (outcome.kind) {
    case 'success':
      return { to: nextNodeId };
    case 'condition':
      return { to: outcome.holds ? nextNodeId : fallbackNodeId };
    case 'jump':
      return { to: outcome.to };
    case 'named':
      if (transitions?.[outcome.name] !== undefined) return { to: transitions[outcome.name] };
      if (outcome.good) return { to: nextNodeId };
      if (fallbackNodeId !== undefined) return { to: fallbackNodeId, error: outcome.bad };
      return routeError(node, outcome.bad);
    case 'error':
      return routeError(node, outcome.error);
  }
}

function routeError(node: Node, error: Fault): Way {
  const caught = node.catch?.find(({ errors }) => errors.includes('*') || errors.includes(error.type));
  if (caught) return { to: caught.nextNodeId, error };
  if (node.fallbackNodeId !== undefined && node.type !== 'condition') return { to: node.fallbackNodeId, error };
  return { leaves: error };
}
