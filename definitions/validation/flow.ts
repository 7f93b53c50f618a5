/**
 * What can have happened before a place of a definition is reached: which nodes ran, which variables were set,
 * whether an error was caught.
 *
 * Invariants:
 * 1. "Can": on some path. Whether it did is known only at run time, where reading what is absent is an error.
 * 2. A place sees its own scope and those around it; what is inside a branch or item is not visible outside.
 * 3. One fault is told once: links are followed as they were meant (`meant.ts`), and before a place that no path reaches
 *    anything may have happened.
 */
import { isObject } from '../json/json-kinds.ts';
import { assignedBy, namesSetBy } from './assigned.ts';
import { type Graph, Reachability, reachableFrom } from './graph.ts';
import { meantGraphOf, meantNode } from './meant.ts';
import type { NodeOutline, Outline, ScopeOutline } from './outline.ts';
import type { Site } from './sites.ts';

/** A place in one scope: a node's index, or its end. */
export interface Step {
  readonly scope: ScopeOutline;
  readonly at: number | 'end';
}

export class Flow {
  readonly #outline: Outline;
  readonly #graphs = new Map<ScopeOutline, Graph>();
  readonly #reach = new Map<ScopeOutline, Reachability>();
  readonly #reached = new Map<ScopeOutline, ReadonlySet<number>>();
  readonly #setters = new Map<ScopeOutline, ReadonlyMap<string, readonly number[]>>();
  readonly #behindSetters = new Map<ScopeOutline, Map<string, ReadonlySet<number>>>();
  #variables: ReadonlySet<string> | undefined;
  readonly #caught = new Map<ScopeOutline, ReadonlySet<number>>();

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  /** The place and those of the scopes around it, innermost first. */
  stepsOf(place: NonNullable<Site['place']>): readonly Step[] {
    const steps: Step[] = [];
    const add = (scope: ScopeOutline, at: number | 'end'): void => {
      steps.push({ scope, at });
      if (scope.holder !== null) add(scope.holder.scope, scope.holder.index);
    };
    if ('node' in place) add(place.node.scope, place.node.index);
    else add(place.endOf, 'end');
    return steps;
  }

  /** The visible node of this id, whether or not it can have run. */
  visible(id: string, steps: readonly Step[]): NodeOutline | null {
    for (const { scope } of steps) {
      const node = scope.byId.get(id);
      if (node !== undefined) return node;
    }
    return null;
  }

  /** Whether a path leads to the node from the first node of its scope. */
  isReached({ scope, index }: NodeOutline): boolean {
    return this.#reachedIn(scope).has(index);
  }

  canHaveRun(node: NodeOutline, steps: readonly Step[]): boolean {
    const step = steps.find(({ scope }) => scope === node.scope);
    return step !== undefined && (this.#leads(step, node.index) || this.#isDead(steps));
  }

  /** Whether something may have set the variable before. */
  canBeSet(variable: string, steps: readonly Step[]): boolean {
    if (this.isSetBefore(variable, steps)) return true;
    return this.#isDead(steps) && steps.some(({ scope }) => this.#settersIn(scope).has(variable));
  }

  /** Whether a path leads from where the variable is set to the place. */
  isSetBefore(variable: string, steps: readonly Step[]): boolean {
    const { vars } = this.#outline.document;
    if (isObject(vars) && Object.hasOwn(vars, variable)) return true;
    return steps.some(({ scope, at }) => {
      const setters = this.#settersIn(scope).get(variable);
      if (setters === undefined) return false;
      return at === 'end'
        ? setters.some((from) => this.#reachedIn(scope).has(from))
        : this.#behind(scope, variable).has(at);
    });
  }

  /** Variables that the document or any node sets, for suggestions. */
  variables(): ReadonlySet<string> {
    const { vars } = this.#outline.document;
    this.#variables ??= new Set([
      ...(isObject(vars) ? Object.keys(vars) : []),
      ...this.#outline.nodes.flatMap(assignedBy),
    ]);
    return this.#variables;
  }

  canHaveError(steps: readonly Step[]): boolean {
    if (this.#isDead(steps)) return true;
    return steps.some(({ scope, at }) => {
      const caught = this.#caughtIn(scope);
      return at === 'end' ? caught.size > 0 : caught.has(at);
    });
  }

  /** Whether no path reaches the place. */
  #isDead(steps: readonly Step[]): boolean {
    return steps.some(({ scope, at }) => at !== 'end' && !this.#reachedIn(scope).has(at));
  }

  #reachedIn(scope: ScopeOutline): ReadonlySet<number> {
    const known = this.#reached.get(scope);
    if (known !== undefined) return known;
    const reached = reachableFrom(this.#graph(scope), startsOf(scope, this.#outline));
    this.#reached.set(scope, reached);
    return reached;
  }

  /** The places of a scope that come behind one that sets the variable. */
  #behind(scope: ScopeOutline, variable: string): ReadonlySet<number> {
    const all = this.#behindSetters.get(scope) ?? new Map<string, ReadonlySet<number>>();
    this.#behindSetters.set(scope, all);
    const known = all.get(variable);
    if (known !== undefined) return known;
    const setters = (this.#settersIn(scope).get(variable) ?? []).filter((at) => this.#reachedIn(scope).has(at));
    const graph = this.#graph(scope);
    const behind = reachableFrom(
      graph,
      setters.flatMap((at) => graph[at] ?? []),
    );
    all.set(variable, behind);
    return behind;
  }

  #leads({ scope, at }: Step, from: number): boolean {
    if (!this.#reachedIn(scope).has(from)) return false;
    if (at === 'end') return true;
    let reach = this.#reach.get(scope);
    if (reach === undefined) {
      reach = new Reachability(this.#graph(scope));
      this.#reach.set(scope, reach);
    }
    return reach.leads(from, at);
  }

  #graph(scope: ScopeOutline): Graph {
    const known = this.#graphs.get(scope) ?? meantGraphOf(scope);
    this.#graphs.set(scope, known);
    return known;
  }

  /** Variable → places of this scope that set it, inner scopes of type `scope` counted as their holder. */
  #settersIn(scope: ScopeOutline): ReadonlyMap<string, readonly number[]> {
    const known = this.#setters.get(scope);
    if (known !== undefined) return known;
    const setters = new Map<string, number[]>();
    for (const node of scope.nodes) {
      for (const name of namesSetBy(node)) {
        const places = setters.get(name);
        if (places === undefined) setters.set(name, [node.index]);
        else places.push(node.index);
      }
    }
    this.#setters.set(scope, setters);
    return setters;
  }

  /** The places that can be reached from where an error was caught. */
  #caughtIn(scope: ScopeOutline): ReadonlySet<number> {
    const known = this.#caught.get(scope);
    if (known !== undefined) return known;
    const entries = scope.nodes.flatMap((node) =>
      (this.isReached(node) ? node.links : [])
        .filter(({ kind }) => kind === 'catch' || (kind === 'fallback' && node.type !== 'condition'))
        .flatMap(({ target }) => (scope.byId.get(target) ?? meantNode(target, scope))?.index ?? []),
    );
    const caught = reachableFrom(this.#graph(scope), entries);
    this.#caught.set(scope, caught);
    return caught;
  }
}

/** Where the walk begins; every node where `start` names nothing like one. */
function startsOf(scope: ScopeOutline, { document }: Outline): readonly number[] {
  if (scope.start !== null) return [scope.start.index];
  const { start } = document;
  const meant = scope.kind === 'top' && typeof start === 'string' ? meantNode(start, scope) : null;
  return meant === null ? scope.nodes.map(({ index }) => index) : [meant.index];
}
