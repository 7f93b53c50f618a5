/**
 * The graph of a scope as its author probably meant it, so that one fault is told once.
 *
 * What it is: a guess. A link to no node of the scope leads to the node whose id is nearest; without such a node, and from
 * a node whose own form hides its links, the walk goes on with the next of the list if nothing else leads there.
 * What it is not: what a run would do. Rules about where links lead ask {@link graphOf}.
 */
import { type Graph, graphOf } from './graph.ts';
import { didYouMean, nearest } from './nearest.ts';
import type { NodeOutline, ScopeOutline } from './outline.ts';

/** Every link of {@link graphOf}, and those that were guessed. */
export function meantGraphOf(scope: ScopeOutline): Graph {
  const graph = graphOf(scope);
  const lost = scope.nodes.filter(isLost);
  if (lost.length === 0) return graph;
  const meant = graph.map((targets) => [...targets]);
  const named = new Set(graph.flat());
  const unguessed: NodeOutline[] = [];
  for (const node of lost) {
    const guesses = guessesOf(node);
    for (const { index } of guesses) named.add(index);
    meant[node.index]?.push(...guesses.map(({ index }) => index));
    if (guesses.length === 0) unguessed.push(node);
  }
  for (const { index } of unguessed) {
    if (index + 1 < scope.nodes.length && !named.has(index + 1)) meant[index]?.push(index + 1);
  }
  return meant;
}

/** Names that are guessed in one scope; a document with more faults has nothing to gain from the rest. */
const MOST_GUESSES = 200;
const guesses = new WeakMap<ScopeOutline, Map<string, NodeOutline | null>>();

/** The node of a scope that a name probably meant; `null`: none is near. */
export function meantNode(id: string, scope: ScopeOutline): NodeOutline | null {
  const known = guesses.get(scope) ?? new Map<string, NodeOutline | null>();
  guesses.set(scope, known);
  const guess = known.get(id);
  if (guess !== undefined || known.size >= MOST_GUESSES) return guess ?? null;
  const best = nearest(id, scope.byId.keys());
  const node = best === null ? null : (scope.byId.get(best) ?? null);
  known.set(id, node);
  return node;
}

/** The same in words, as in `suggestion`. */
export function meantHint(id: string, scopes: Iterable<ScopeOutline>): string {
  for (const scope of scopes) {
    const node = meantNode(id, scope);
    if (node?.id) return didYouMean(node.id);
  }
  return '';
}

/** Whether a link of the node leads to no node of its scope, or a fault of form may hide its links. */
function isLost(node: NodeOutline): boolean {
  if (node.links.some(({ target }) => !node.scope.byId.has(target))) return true;
  return (
    node.node === null && node.type !== 'end' && !node.links.some(({ kind }) => kind === 'next' || kind === 'case')
  );
}

function guessesOf(node: NodeOutline): NodeOutline[] {
  return node.links.flatMap(({ target }) => (node.scope.byId.has(target) ? [] : (meantNode(target, node.scope) ?? [])));
}
