/**
 * The links of one scope as a graph over the places of its nodes.
 *
 * Invariants:
 * 1. Everything here is iterative and linear in nodes and links (but {@link Reachability}, which costs bits), so a
 *    hostile document neither overflows the stack nor stalls.
 */
import type { ScopeOutline } from './outline.ts';

/** For each node of a scope, the places of the nodes that it leads to; links to elsewhere are left out. */
export type Graph = readonly (readonly number[])[];

export function graphOf(scope: ScopeOutline): Graph {
  return scope.nodes.map((node) => {
    const targets = new Set<number>();
    for (const link of node.links) {
      const target = scope.byId.get(link.target);
      if (target !== undefined) targets.add(target.index);
    }
    return [...targets];
  });
}

/** The places that can be reached from `starts`, the starts included. */
export function reachableFrom(graph: Graph, starts: readonly number[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const open = [...starts];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    for (const next of graph[place] ?? []) if (!seen.has(next)) open.push(next);
  }
  return seen;
}

/**
 * The strongly connected parts among the places that `keep` names, each before those that lead to it (Tarjan's order).
 */
export function componentsOf(graph: Graph, keep: (place: number) => boolean): readonly (readonly number[])[] {
  const components: number[][] = [];
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const enter = (place: number): { place: number; edge: number } => {
    order.set(place, order.size);
    low.set(place, order.get(place) ?? 0);
    stack.push(place);
    onStack.add(place);
    return { place, edge: 0 };
  };
  const lower = (place: number, value: number | undefined): void => {
    low.set(place, Math.min(low.get(place) ?? 0, value ?? 0));
  };
  for (let root = 0; root < graph.length; root++) {
    if (!keep(root) || order.has(root)) continue;
    const calls = [enter(root)];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const next = graph[call.place]?.[call.edge++];
      if (next !== undefined) {
        if (!keep(next)) continue;
        if (!order.has(next)) calls.push(enter(next));
        else if (onStack.has(next)) lower(call.place, order.get(next));
        continue;
      }
      calls.pop();
      const caller = calls.at(-1);
      if (caller !== undefined) lower(caller.place, low.get(call.place));
      if (low.get(call.place) !== order.get(call.place)) continue;
      const component = stack.splice(stack.lastIndexOf(call.place));
      for (const place of component) onStack.delete(place);
      components.push(component);
    }
  }
  return components;
}

/** Whether the places of a strongly connected part lead back to themselves. */
export function isCycle(graph: Graph, component: readonly number[]): boolean {
  const [only] = component;
  return component.length > 1 || (only !== undefined && (graph[only]?.includes(only) ?? false));
}

/** Which place can be visited before which: the transitive closure, one bit per pair. */
export class Reachability {
  readonly #words: number;
  readonly #bits: Int32Array;

  constructor(graph: Graph) {
    this.#words = Math.ceil(graph.length / 32);
    this.#bits = new Int32Array(this.#words * graph.length);
    for (const component of componentsOf(graph, () => true)) {
      const [first] = component;
      if (first === undefined) continue;
      for (const place of component) {
        for (const next of graph[place] ?? []) {
          this.#set(first, next);
          this.#merge(first, next);
        }
      }
      for (const place of component) if (place !== first) this.#merge(place, first);
    }
  }

  /** Whether a run can come from `from` to `to`; from a place to itself only by a cycle. */
  leads(from: number, to: number): boolean {
    return ((this.#bits[from * this.#words + (to >> 5)] ?? 0) & (1 << (to & 31))) !== 0;
  }

  #set(from: number, to: number): void {
    const word = from * this.#words + (to >> 5);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (to & 31));
  }

  #merge(into: number, from: number): void {
    const target = into * this.#words;
    const source = from * this.#words;
    for (let word = 0; word < this.#words; word++) {
      this.#bits[target + word] = (this.#bits[target + word] ?? 0) | (this.#bits[source + word] ?? 0);
    }
  }
}

/** For each place that can be reached from `start`, the last other place that every path to it passes; itself for `start`. */
export function dominatorsOf(graph: Graph, start: number): ReadonlyMap<number, number> {
  const order = postorderOf(graph, start);
  const rank = new Map(order.map((place, index) => [place, index]));
  const before = new Map<number, number[]>(order.map((place) => [place, []]));
  for (const place of order) for (const next of graph[place] ?? []) before.get(next)?.push(place);
  const last = new Map([[start, start]]);
  // Cooper, Harvey and Kennedy: few rounds, one where nothing leads backwards.
  for (let changed = true; changed; ) {
    changed = false;
    for (const place of order.toReversed()) {
      if (place === start) continue;
      const known = (before.get(place) ?? []).filter((from) => last.has(from));
      const common = known.reduce((left, right) => commonOf(left, right, { last, rank }));
      if (last.get(place) === common) continue;
      last.set(place, common);
      changed = true;
    }
  }
  return last;
}

interface Dominators {
  readonly last: ReadonlyMap<number, number>;
  readonly rank: ReadonlyMap<number, number>;
}

function commonOf(left: number, right: number, { last, rank }: Dominators): number {
  const rankOf = (place: number): number => rank.get(place) ?? 0;
  let [one, other] = [left, right];
  while (one !== other) {
    if (rankOf(one) < rankOf(other)) one = last.get(one) ?? other;
    else other = last.get(other) ?? one;
  }
  return one;
}

/** The places that can be reached, each behind those that it leads to (but for ways back). */
function postorderOf(graph: Graph, start: number): readonly number[] {
  const order: number[] = [];
  const seen = new Set([start]);
  const calls = [{ place: start, edge: 0 }];
  for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
    const next = graph[call.place]?.[call.edge++];
    if (next === undefined) {
      calls.pop();
      order.push(call.place);
    } else if (!seen.has(next)) {
      seen.add(next);
      calls.push({ place: next, edge: 0 });
    }
  }
  return order;
}
