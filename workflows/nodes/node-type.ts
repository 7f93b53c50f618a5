/**
 * What a node type is: three functions, in one file of this folder.
 *
 * Invariants:
 * 1. `compile` runs once a definition, and sees nothing of a run.
 * 2. `enter` runs once a visit and makes its plain state. `proceed` drives that state to an outcome, and may be called
 *    on a state restored from a checkpoint as well as on a fresh one.
 * 3. A fault of the definition or its data is thrown as `RunError`, which the walk turns into the outcome `error`;
 *    anything else that is thrown is a bug of the engine.
 */
import type { Definition, HandlerBindings, Node } from '../../definitions/types.ts';
import type { NodeState } from '../checkpoint.ts';
import type { CompiledScope } from '../compile.ts';
import type { Later } from '../later.ts';
import type { Step } from '../outcome.ts';
import type { Visit } from '../scope.ts';

export interface CompileContext {
  readonly definition: Definition;
  readonly handlers: HandlerBindings;
  /** Compiles the nodes of an inner scope. */
  compileScope(nodes: readonly Node[]): CompiledScope;
}

export interface NodeType<N extends Node, Config, State extends NodeState> {
  /** Its visits walk inner scopes: by itself it takes no time. */
  readonly holdsScopes?: true;
  compile(node: N, context: CompileContext): Config;
  enter(visit: Visit<Config>): State;
  proceed(visit: Visit<Config>, state: State): Later<Step>;
}

/** A node type whose visits take no time, and so have no state to restore. */
export function instant<N extends Node, Config>(type: {
  compile(node: N, context: CompileContext): Config;
  proceed(visit: Visit<Config>): Step;
}): NodeType<N, Config, { readonly kind: 'instant' }> {
  return { compile: type.compile, enter: () => INSTANT, proceed: type.proceed };
}

const INSTANT = { kind: 'instant' } as const;
