/**
 * A scope at work: one list of nodes under way, with what its expressions see and why it may have to stop.
 *
 * What it is: the top of a definition, a branch, an item or a `scope` node; each inner one knows the one around it.
 * What it is not: state. That is in `frame`, and a scope is made anew around it in every history.
 *
 * Invariants:
 * 1. An inner scope sees the nodes and variables of the outer ones; nothing of its own is seen outside.
 * 2. A variable is written where it belongs: in an outer scope only if every scope between shares it.
 * 3. Whether a scope has to stop is told by plain state and the clock, so that no race of promises decides.
 */
import type { CompiledTemplate, Names } from '../definitions/expressions/index.ts';
import type { ErrorInfo } from '../definitions/errors.ts';
import { hasOwn } from '../definitions/intrinsics.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { Frame, NodeResult } from './checkpoint.ts';
import type { CompiledScope } from './compile.ts';
import { bookBytes, checkedBytes, type RunContext } from './context.ts';
import type { CancellableEffects } from './effects.ts';

export interface Scope {
  readonly run: RunContext;
  /** The scope around it; `null` for the top. */
  readonly parent: Scope | null;
  readonly nodes: CompiledScope;
  readonly frame: Frame;
  /** Branch and item segments with their slashes, `""` at the top. */
  readonly path: string;
  /** Cancelled when the scope is asked to end. */
  readonly effects: CancellableEffects;
  /** Outer variables that are written through. */
  readonly shared: 'all' | readonly string[];
  /** `item` and `index` under their names, those of outer scopes included. */
  readonly locals: { readonly [name: string]: Json };
  /** Why this scope itself has to end; `null`: it need not. */
  stopReason(): string | null;
}

/** What a node type sees of the visit that it carries out. */
export interface Visit<Config> {
  readonly run: RunContext;
  readonly scope: Scope;
  readonly nodeId: string;
  /** What people see: the node's name, else its id. */
  readonly label: string;
  readonly config: Config;
  /** Which visit of this node it is, from 1. */
  readonly visit: number;
  readonly seq: number;
  readonly startedAt: number;
}

/** The top scope of a run. */
export function topScope(run: RunContext): Scope {
  return {
    run,
    parent: null,
    nodes: run.compiled.top,
    frame: run.checkpoint.frame,
    path: '',
    effects: run.stoppable,
    shared: [],
    locals: {},
    stopReason: () =>
      run.checkpoint.cancel?.reason ??
      (run.limitAt !== Infinity && run.effects.now() >= run.limitAt ? 'the run timed out' : null),
  };
}

/** The state of a scope that has not begun. */
export function freshFrame(nodes: CompiledScope): Frame {
  return { nodeId: nodes.startNodeId, visit: null, visits: {}, vars: {}, nodes: {}, error: null, lastNodeId: null };
}

/** `<run id>/<path>/<node id>/<visit>`: names a command and an approval. */
export function visitId({ run, scope, nodeId, visit }: Visit<unknown>): string {
  return `${run.start.run.id}/${scope.path}${nodeId}/${visit}`;
}

/** What a node adds to the path of the scopes that it holds: nothing at its first visit, later `.2` and so on. */
export function holderVisit({ visit }: Visit<unknown>): string {
  return visit === 1 ? '' : `.${visit}`;
}

/** Why a scope, or one around it, has to end; `null`: it need not. */
export function stopReason(scope: Scope): string | null {
  return scope.stopReason() ?? (scope.parent && stopReason(scope.parent));
}

/** Whether a scope, or one around it, has to end. */
export function isStopping(scope: Scope): boolean {
  return stopReason(scope) !== null;
}

/** Whether a scope stops while its run goes on: its branch lost, or a scope around it ran out of time. */
export function isLost(scope: Scope): boolean {
  if (scope.parent === null) return false;
  return (scope.stopReason() !== null && !isStopping(scope.parent)) || isLost(scope.parent);
}

/** The `CANCELLED` error of a visit that a stopping scope interrupted. */
export function cancelledError(scope: Scope, nodeId: string): ErrorInfo {
  return { type: 'CANCELLED', message: `Cancelled: ${stopReason(scope) ?? 'its scope ended'}`, nodeId };
}

/** An error of the port as that of a visit: `CANCELLED` says why the scope stops. */
export function errorAt({ scope, nodeId }: Visit<unknown>, error: ErrorInfo): ErrorInfo {
  return error.type === 'CANCELLED' && isStopping(scope) ? cancelledError(scope, nodeId) : { ...error, nodeId };
}

/** The names that expressions of a scope see. */
export function namesFor(scope: Scope): Names {
  const { run } = scope;
  const { event, input } = run.start;
  const names = { event, input, vars: varsOf(scope), nodes: resultsOf(scope), run: run.names, now: run.effects.now() };
  if (scope.parent === null && scope.frame.error === null) return names;
  const error = errorIn(scope);
  return { ...names, ...scope.locals, ...(error ? { error } : {}) };
}

const NO_NAMES: Names = { event: null, input: null, vars: {}, nodes: {}, run: {}, now: 0 };

/** The value of a template in a scope. @throws RunError `EXPRESSION_ERROR` */
export function evaluate(scope: Scope, template: CompiledTemplate): Json {
  return template.evaluate(template.constant ? NO_NAMES : namesFor(scope), scope.run.meter);
}

/** What leaves a scope: its own `output`, else the output of the last node walked. @throws RunError */
export function outputOf(scope: Scope, template: CompiledTemplate | null): Json {
  if (template) return evaluate(scope, template);
  const { lastNodeId, nodes } = scope.frame;
  return lastNodeId === null ? null : (nodes[lastNodeId]?.output ?? null);
}

/** Sets variables, each in the scope that it belongs to. @throws RunError `PAYLOAD_TOO_LARGE`, and then sets none */
export function setVars(scope: Scope, values: { readonly [name: string]: Json }): void {
  const changes = new Map<Frame, { [name: string]: Json }>();
  let added = 0;
  let removed = 0;
  for (const [name, value] of Object.entries(values)) {
    const { frame } = ownerOf(scope, name);
    added += checkedBytes(`variable ${name}`, value);
    if (hasOwn(frame.vars, name)) removed += jsonBytes(frame.vars[name] as Json);
    const change = changes.get(frame) ?? {};
    change[name] = value;
    changes.set(frame, change);
  }
  bookBytes(scope.run, added, removed);
  for (const [frame, change] of changes) frame.vars = { ...frame.vars, ...change };
}

function ownerOf(scope: Scope, name: string): Scope {
  const { parent, shared } = scope;
  return parent !== null && (shared === 'all' || shared.includes(name)) ? ownerOf(parent, name) : scope;
}

/** While an inner scope is at work, only shared variables of the outer ones change: it sees the others as they were. */
function varsOf({ parent, frame }: Scope): Frame['vars'] {
  return parent === null ? frame.vars : layered(varsOf(parent), frame.vars);
}

function resultsOf({ parent, frame }: Scope): { readonly [nodeId: string]: NodeResult } {
  return parent === null ? frame.nodes : layered(resultsOf(parent), frame.nodes);
}

function errorIn({ frame, parent }: Scope): ErrorInfo | null {
  return frame.error ?? (parent && errorIn(parent));
}

/** Layers made before, by the inner one: as long as neither changes, expressions see the same object. */
const layers = new WeakMap<object, { readonly outer: object; readonly both: object }>();

function layered<Layer extends object>(outer: Layer, inner: Layer): Layer {
  const known = layers.get(inner);
  if (known?.outer === outer) return known.both as Layer;
  const both = { ...outer, ...inner };
  layers.set(inner, { outer, both });
  return both;
}
