/**
 * Which nodes of a scope every walk through it passes, unless an error ends it.
 */
import { dominatorsOf, graphOf } from './graph.ts';
import type { NodeOutline, ScopeOutline } from './outline.ts';

const known = new WeakMap<ScopeOutline, ReadonlySet<number>>();

/** The places that are on every path from the first node to an end of the scope; none where it cannot end. */
export function unavoidableIn(scope: ScopeOutline): ReadonlySet<number> {
  const found = known.get(scope) ?? find(scope);
  known.set(scope, found);
  return found;
}

function find(scope: ScopeOutline): ReadonlySet<number> {
  const passed = new Set<number>();
  if (scope.start === null) return passed;
  const end = scope.nodes.length;
  const graph = graphOf(scope).map((targets, place) => (mayEnd(scope.nodes[place]) ? [...targets, end] : targets));
  const last = dominatorsOf(graph, scope.start.index);
  let place = last.get(end);
  for (; place !== undefined && !passed.has(place); place = last.get(place)) passed.add(place);
  return passed;
}

/** Whether the scope can end behind this node. */
function mayEnd(node: NodeOutline | undefined): boolean {
  if (node === undefined || node.type === 'end') return true;
  if (node.type === 'switch') return false;
  if (node.type === 'condition' && !node.links.some(({ kind }) => kind === 'fallback')) return true;
  return !node.links.some(({ kind }) => kind === 'next');
}
