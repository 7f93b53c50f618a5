/**
 * A definition made ready to walk: nodes by id, settings with their defaults, templates compiled.
 *
 * What it is: pure memory, shared by all runs of a version in one workflow VM (the module is preloaded there).
 * What it is not: validation. A definition that comes here was checked when it was published.
 */
import { type CompiledTemplate, compileTemplate, ExpressionSyntaxError } from '../definitions/expressions/index.ts';
import { parseDuration } from '../definitions/duration.ts';
import { LIMITS } from '../definitions/limits.ts';
import { parsePath } from '../definitions/json/path.ts';
import { cutUtf8 } from '../definitions/json/size.ts';
import { RunError } from '../definitions/errors.ts';
import type { Definition, HandlerBindings, Node } from '../definitions/types.ts';
import type { NodeState } from './checkpoint.ts';
import { nodeTypes } from './nodes/index.ts';
import type { CompileContext, NodeType } from './nodes/node-type.ts';

export interface CompiledNode {
  readonly node: Node;
  /** What people see on activities and timers: the name, else the id, at most `SUMMARY_BYTES`. */
  readonly label: string;
  readonly maxVisits: number;
  readonly type: NodeType<Node, unknown, NodeState>;
  readonly config: unknown;
}

/** A list of nodes to be walked from its first. */
export interface CompiledScope {
  readonly startNodeId: string;
  readonly byId: ReadonlyMap<string, CompiledNode>;
  /** Ids of all nodes in it, at any depth. */
  readonly inside: ReadonlySet<string>;
}

export interface CompiledDefinition {
  readonly definition: Definition;
  readonly top: CompiledScope;
  /** All nodes, at any depth: their ids are unique in the document. */
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  readonly vars: readonly (readonly [name: string, template: CompiledTemplate])[];
  /** Absent: the output of the last node walked. */
  readonly output: CompiledTemplate | null;
  readonly timeoutMs: number | null;
  /** Keys of each path that is hidden in records and views. */
  readonly redact: readonly (readonly string[])[];
}

/** Temporal takes a summary of 400 bytes; what the walker puts before a label fits beside it. */
const SUMMARY_BYTES = 200;

/** How many compiled versions one VM keeps. */
const CACHE_SIZE = 500;
const cache = new Map<string, CompiledDefinition>();

/**
 * Compiles a version, once per content and handler bindings. The content itself is the key: a hash would be the word of
 * whoever started the run, and could make other runs walk his document.
 * @throws RunError where it cannot be walked
 */
export function compiled(definition: Definition, handlers: HandlerBindings): CompiledDefinition {
  const key = JSON.stringify([definition, handlers]);
  const known = cache.get(key);
  if (known) return known;
  const fresh = compile(definition, handlers);
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value as string);
  cache.set(key, fresh);
  return fresh;
}

/** An expression that this release reads no more is a fault of the definition, not of the engine. */
function compile(definition: Definition, handlers: HandlerBindings): CompiledDefinition {
  try {
    return compileNodes(definition, handlers);
  } catch (fault) {
    if (!(fault instanceof ExpressionSyntaxError)) throw fault;
    const { message, text, offset, pointer } = fault;
    throw new RunError('EXPRESSION_ERROR', message, { expression: text, offset, pointer });
  }
}

function compileNodes(definition: Definition, handlers: HandlerBindings): CompiledDefinition {
  const nodes = new Map<string, CompiledNode>();
  const compileScope = (list: readonly Node[], start?: string): CompiledScope => {
    const startNodeId = start ?? list[0]?.id;
    if (startNodeId === undefined) throw new RunError('LIMIT_EXCEEDED', `A scope of ${definition.id} has no nodes`);
    const before = nodes.size;
    const byId = new Map(list.map((node) => [node.id, compileNode(node, { definition, handlers, compileScope })]));
    for (const [id, node] of byId) nodes.set(id, node);
    return { startNodeId, byId, inside: new Set([...nodes.keys()].slice(before)) };
  };
  return {
    definition,
    top: compileScope(definition.nodes, definition.start),
    nodes,
    vars: Object.entries(definition.vars ?? {}).map(([name, template]) => [name, compileTemplate(template)] as const),
    output: definition.output === undefined ? null : compileTemplate(definition.output),
    timeoutMs: definition.timeout === undefined ? null : parseDuration(definition.timeout),
    redact: (definition.redact ?? []).map(parsePath).filter((keys) => keys !== null),
  };
}

function compileNode(node: Node, context: CompileContext): CompiledNode {
  const type = nodeTypes[node.type] as NodeType<Node, unknown, NodeState>;
  return {
    node,
    label: cutUtf8(node.name ?? node.id, SUMMARY_BYTES),
    maxVisits: node.maxVisits ?? LIMITS.maxVisits,
    type,
    config: type.compile(node, context),
  };
}
