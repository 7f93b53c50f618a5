/** What a reference run is made of: its state as the language words it, and the questions that every node asks. */
import { compileTemplate, Meter, type Names, compileExpression } from '../../definitions/expressions/index.ts';
import { RunError } from '../../definitions/errors.ts';
import type { Definition, Json, Node, NodeType } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import type { Fibers, Limit, Pause, Steps } from './fibers.ts';

/** An error, without its words. */
export interface Fault {
  readonly type: string;
  readonly message: '';
  readonly nodeId: string | null;
}

export type Outcome =
  | { readonly kind: 'success'; readonly output: Json; readonly error?: Fault }
  | { readonly kind: 'condition'; readonly holds: boolean }
  | { readonly kind: 'jump'; readonly to: string; readonly name: string }
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly good: boolean;
      readonly output: Json;
      readonly bad: Fault;
    }
  | { readonly kind: 'end'; readonly ending: Ending }
  | { readonly kind: 'error'; readonly error: Fault };

export interface Ending {
  readonly state: 'completed' | 'failed' | 'cancelled';
  readonly output: Json;
  readonly error: Fault | null;
}

/** How a scope ends. */
export type ScopeEnd = { readonly kind: 'ended' } | Extract<Outcome, { kind: 'end' | 'error' }>;

export interface Result {
  readonly output: Json;
  readonly outcome: string;
  readonly error: Fault | null;
}

export interface Scope {
  readonly parent: Scope | null;
  readonly nodes: readonly Node[];
  readonly path: string;
  /** Outer variables that are written through. */
  readonly shared: 'all' | readonly string[];
  readonly locals: { readonly [name: string]: Json };
  /** Outer variables as they were when a branch began. */
  readonly seen: { readonly [name: string]: Json };
  own: { readonly [name: string]: Json };
  results: { readonly [nodeId: string]: Result };
  readonly visits: Map<string, number>;
  error: Fault | null;
  last: string | null;
  /** Past it the scope has to end. */
  readonly limitAt: number;
  /** Asked to end for another reason. */
  isStopped(): boolean;
}

export interface Command {
  readonly commandId: string;
  readonly nodeId: string;
  readonly type: string;
  readonly payload: Json;
  readonly orderedAt: number;
  finishedAt: number | null;
  state: string;
  attempts: number;
  result: Json;
  error: Fault | null;
  readonly undoes: string | null;
}

export interface Visit {
  readonly scope: Scope;
  readonly node: Node;
  readonly number: number;
  readonly id: string;
  readonly startedAt: number;
}

export interface TraceLine {
  readonly nodeId: string;
  readonly path: string;
  readonly visit: number;
  outcome: string | null;
  error: Fault | null;
  readonly startedAt: number;
  finishedAt: number | null;
}

export interface Done {
  readonly visit: Visit;
  readonly type: string;
  readonly payload: Json;
  readonly rollback: boolean;
  /** Done for a scope that had been asked to end while its run went on. */
  readonly lost: boolean;
  gaveUp: boolean;
}

export interface Task {
  readonly nodeId: string;
  readonly votes: { readonly by: string; readonly outcome: string; readonly at: number }[];
  settled: string | null;
  readonly quorum: number;
  readonly visit: number;
}

export interface Arrived {
  readonly event: { readonly [field: string]: Json };
  taken: boolean;
}

export interface EventWait {
  readonly visit: Visit;
  readonly correlation: { readonly [path: string]: Json };
  took: Json;
}

/** How a visit of a node goes; at once where it pauses for nothing. */
export type Work = (world: World, visit: Visit) => Outcome | Steps<Outcome>;

export interface World {
  readonly types: { readonly [type in NodeType]: Work };
  readonly id: string;
  readonly definition: Definition;
  readonly fibers: Fibers;
  readonly mocks: Mocks;
  readonly startedAt: number;
  readonly trace: TraceLine[];
  readonly commands: Command[];
  readonly emitted: { readonly id: string; readonly data: Json }[];
  readonly undo: Done[];
  readonly waiting: Map<Visit, string>;
  readonly tasks: Task[];
  readonly early: { readonly nodeId: string; readonly by: string; readonly outcome: string; readonly at: number }[];
  readonly inbox: Arrived[];
  readonly eventWaits: EventWait[];
  readonly replies: Map<string, number>;
  /** Who was the last to use something that several may use, and when. */
  readonly lastUse: Map<string, { readonly at: number; readonly by: object }>;
  cancelled: boolean;
  ending: Ending | null;
  top: Scope | null;
}

/** Two that use one thing at the same moment: which is first is nobody's promise. */
export function use({ fibers, lastUse }: World, what: string, by: object): void {
  const last = lastUse.get(what);
  if (last && last.at === fibers.now && last.by !== by) fibers.tied = true;
  lastUse.set(what, { at: fibers.now, by });
}

export function fault(type: string, nodeId: string | null): Fault {
  return { type, message: '', nodeId };
}

export function failed(error: Fault): Extract<Outcome, { kind: 'error' }> {
  return { kind: 'error', error };
}

/** Itself first. */
export function around(scope: Scope): Scope[] {
  return scope.parent === null ? [scope] : [scope, ...around(scope.parent)];
}

function hasToEnd({ fibers }: World, scope: Scope): boolean {
  return scope.isStopped() || fibers.now >= scope.limitAt;
}

export function isStopping(world: World, scope: Scope): boolean {
  return around(scope).some((one) => hasToEnd(world, one));
}

/** Whether the scope has to end and its run goes on. */
export function isLost(world: World, scope: Scope): boolean {
  const top = around(scope).at(-1) as Scope;
  return isStopping(world, scope) && !hasToEnd(world, top);
}

/** Pauses that the end of the scope cuts short. */
export function within(world: World, scope: Scope, pause: Pause): Pause {
  const limits: Limit[] = around(scope).flatMap((of) => (of.limitAt === Infinity ? [] : [{ at: of.limitAt, of }]));
  return { ...pause, limits, stopped: () => isStopping(world, scope) };
}

/** Whether `inner` is `outer` or stands in it. */
export function isIn(inner: Scope, outer: Scope): boolean {
  return around(inner).includes(outer);
}

export function varsOf(scope: Scope): { readonly [name: string]: Json } {
  if (scope.parent === null) return scope.own;
  const outer = varsOf(scope.parent);
  if (scope.shared === 'all') return outer;
  const written = Object.entries(outer).filter(([name]) => isShared(scope, name));
  return { ...scope.seen, ...Object.fromEntries(written), ...scope.own };
}

/** What a fork shares is one variable for all inside it, forks in it included. */
function isShared(scope: Scope, name: string): boolean {
  return around(scope).some(({ shared }) => shared !== 'all' && shared.includes(name));
}

export function setVar(scope: Scope, name: string, value: Json): void {
  const isOuters = scope.parent !== null && (scope.shared === 'all' || scope.shared.includes(name));
  if (isOuters) setVar(scope.parent, name, value);
  else scope.own = { ...scope.own, [name]: value };
}

export function namesOf(world: World, scope: Scope): Names {
  const outerFirst = around(scope).reverse();
  const error = around(scope).find((one) => one.error !== null)?.error;
  return {
    event: null,
    input: null,
    vars: varsOf(scope),
    nodes: Object.assign({}, ...outerFirst.map(({ results }) => results)) as Names['nodes'],
    run: { id: world.id, definitionId: world.definition.id },
    now: world.fibers.now,
    ...(Object.assign({}, ...outerFirst.map(({ locals }) => locals)) as object),
    ...(error ? { error } : {}),
  };
}

export function template(names: Names, text: Json): Json {
  return compileTemplate(text).evaluate(names, new Meter());
}

export function expression(names: Names, text: string): Json {
  return compileExpression(text).evaluate(names, new Meter());
}

/** What `body` gives, or the error of the node. */
export function guarded<T>(nodeId: string | null, body: () => T): T | Extract<Outcome, { kind: 'error' }> {
  try {
    return body();
  } catch (thrown) {
    if (thrown instanceof RunError) return failed(fault(thrown.type, nodeId));
    throw thrown;
  }
}

export function isFailed<T extends object>(value: T | Json | Outcome): value is Extract<Outcome, { kind: 'error' }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'error';
}

/** What leaves a scope. */
export function outputOf(world: World, scope: Scope, output: Json | undefined): Json {
  if (output !== undefined) return template(namesOf(world, scope), output);
  return scope.last === null ? null : (scope.results[scope.last]?.output ?? null);
}
