/**
 * Where a run goes when a visit has ended: the table of `docs/language.md`, section 4.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Node } from '../definitions/types.ts';
import type { Outcome } from './outcome.ts';

/** The next node of the same scope (`null`: the scope ends), or an error that leaves the scope. */
export type Route =
  | { readonly kind: 'next'; readonly nodeId: string | null; readonly error?: ErrorInfo }
  | { readonly kind: 'leave'; readonly error: ErrorInfo };

/** Routes every outcome but `end`, which no route can hold. */
export function route(node: Node, outcome: Exclude<Outcome, { kind: 'end' }>): Route {
  switch (outcome.kind) {
    case 'success':
      return next(node.nextNodeId);
    case 'condition':
      return next(outcome.holds ? node.nextNodeId : node.fallbackNodeId);
    case 'jump':
      return next(outcome.nextNodeId);
    case 'named':
      return routeNamed(node, outcome);
    case 'error':
      return routeError(node, outcome.error);
  }
}

function routeNamed(node: Node, outcome: Extract<Outcome, { kind: 'named' }>): Route {
  const transitions = node.transitions;
  if (transitions && Object.hasOwn(transitions, outcome.name)) return next(transitions[outcome.name]);
  if (outcome.good) return next(node.nextNodeId);
  if (node.fallbackNodeId !== undefined) return { ...next(node.fallbackNodeId), error: outcome.otherwise };
  return routeError(node, outcome.otherwise);
}

function routeError(node: Node, error: ErrorInfo): Route {
  const caught = node.catch?.find((entry) => entry.errors.includes(error.type) || entry.errors.includes('*'));
  if (caught) return { ...next(caught.nextNodeId), error };
  if (node.fallbackNodeId !== undefined && node.type !== 'condition') return { ...next(node.fallbackNodeId), error };
  return { kind: 'leave', error };
}

function next(nodeId: string | undefined): Extract<Route, { kind: 'next' }> {
  return { kind: 'next', nodeId: nodeId ?? null };
}
