/**
 * The bones of a document: its scopes, nodes and links, read in one tolerant pass over any JSON.
 *
 * What it is: the view that all rules share, so that faults of form and of meaning are reported together. What it is
 * not: typed. A rule reads a node's `config` only through {@link NodeOutline.node}, which is `null` where the form is wrong.
 *
 * Invariants:
 * 1. Every node of every scope is here once, outer scopes before inner ones.
 * 2. Nothing is followed but the fields that the language gives to scopes, so data that looks like nodes is not mistaken.
 */
import { isList, isObject, listOf } from '../json/json-kinds.ts';
import { type Keys, valueAt } from '../json/path.ts';
import type { Json, JsonObject, Node } from '../types.ts';

export interface Outline {
  readonly document: JsonObject;
  /** The first is the top scope. */
  readonly scopes: readonly ScopeOutline[];
  readonly nodes: readonly NodeOutline[];
  /** The first node of each id. */
  readonly byId: ReadonlyMap<string, NodeOutline>;
}

export interface ScopeOutline {
  /** Of its list of nodes. */
  readonly keys: Keys;
  readonly kind: 'top' | 'branch' | 'item' | 'scope';
  /** The node that holds it; `null` for the top. */
  readonly holder: NodeOutline | null;
  /** The object in which its list of nodes stands: the document, a branch, or a node's config. */
  readonly owner: JsonObject;
  readonly nodes: readonly NodeOutline[];
  readonly byId: ReadonlyMap<string, NodeOutline>;
  /** The first node to be walked; `null` where `start` names none. */
  readonly start: NodeOutline | null;
}

export interface NodeOutline {
  readonly keys: Keys;
  readonly scope: ScopeOutline;
  /** Place in its scope. */
  readonly index: number;
  readonly id: string | null;
  readonly type: string | null;
  readonly raw: JsonObject;
  /** `null` where its form is wrong. */
  readonly node: Node | null;
  readonly links: readonly Link[];
  readonly scopes: readonly ScopeOutline[];
}

/** A field of a node that names the next one. */
export interface Link {
  readonly kind: 'next' | 'fallback' | 'catch' | 'transition' | 'case';
  readonly target: string;
  readonly keys: Keys;
}

/**
 * The outline of `document`. `isSound` tells, by the JSON pointer's keys of a node, whether its form is right.
 */
export function outlineOf(document: JsonObject, isSound: (keys: Keys) => boolean): Outline {
  const builder: Builder = { document, isSound, scopes: [], nodes: [], byId: new Map() };
  addScope(builder, { keys: ['nodes'], kind: 'top', holder: null, owner: document });
  return builder;
}

interface Builder {
  readonly document: JsonObject;
  readonly isSound: (keys: Keys) => boolean;
  readonly scopes: ScopeOutline[];
  readonly nodes: NodeOutline[];
  readonly byId: Map<string, NodeOutline>;
}

interface ScopeSource {
  readonly keys: Keys;
  readonly kind: ScopeOutline['kind'];
  readonly holder: NodeOutline | null;
  readonly owner: JsonObject;
}

function addScope(builder: Builder, { keys, kind, holder, owner }: ScopeSource): ScopeOutline | null {
  const list = owner['nodes'];
  if (!isList(list)) return null;
  const nodes: NodeOutline[] = [];
  const byId = new Map<string, NodeOutline>();
  const scope = { keys, kind, holder, owner, nodes, byId, start: null as NodeOutline | null };
  builder.scopes.push(scope);
  for (const [index, raw] of list.entries()) {
    if (!isObject(raw)) continue;
    const node = nodeOf(builder, scope, { raw, keys: [...keys, index], index: nodes.length });
    nodes.push(node);
    builder.nodes.push(node);
    if (node.id === null) continue;
    if (!byId.has(node.id)) byId.set(node.id, node);
    if (!builder.byId.has(node.id)) builder.byId.set(node.id, node);
  }
  const start = kind === 'top' ? builder.document['start'] : undefined;
  scope.start = typeof start === 'string' ? (byId.get(start) ?? null) : (nodes[0] ?? null);
  for (const node of nodes) addInnerScopes(builder, node);
  return scope;
}

function nodeOf(
  builder: Builder,
  scope: ScopeOutline,
  { raw, keys, index }: { readonly raw: JsonObject; readonly keys: Keys; readonly index: number },
): NodeOutline {
  const id = raw['id'];
  const type = raw['type'];
  return {
    keys,
    scope,
    index,
    id: typeof id === 'string' ? id : null,
    type: typeof type === 'string' ? type : null,
    raw,
    // Sound means that the schema found no fault in it, which makes it a Node.
    node: builder.isSound(keys) ? (raw as unknown as Node) : null,
    links: linksOf(raw, keys),
    scopes: [],
  };
}

function addInnerScopes(builder: Builder, holder: NodeOutline): void {
  const config = holder.raw['config'];
  if (!isObject(config)) return;
  const keys = [...holder.keys, 'config'];
  const inner = holder.scopes as ScopeOutline[];
  const add = (source: ScopeSource): void => {
    const scope = addScope(builder, source);
    if (scope !== null) inner.push(scope);
  };
  if (holder.type === 'parallel' && isList(config['branches'])) {
    for (const [index, branch] of config['branches'].entries()) {
      if (!isObject(branch)) continue;
      add({ keys: [...keys, 'branches', index, 'nodes'], kind: 'branch', holder, owner: branch });
    }
  }
  if (holder.type === 'forEach') add({ keys: [...keys, 'nodes'], kind: 'item', holder, owner: config });
  if (holder.type === 'scope') add({ keys: [...keys, 'nodes'], kind: 'scope', holder, owner: config });
}

function linksOf(raw: JsonObject, keys: Keys): Link[] {
  const links: Link[] = [];
  const add = (kind: Link['kind'], target: Json | undefined, ...rest: Keys): void => {
    if (typeof target === 'string') links.push({ kind, target, keys: [...keys, ...rest] });
  };
  add('next', raw['nextNodeId'], 'nextNodeId');
  add('fallback', raw['fallbackNodeId'], 'fallbackNodeId');
  for (const [index, entry] of listOf(raw['catch']).entries()) {
    if (isObject(entry)) add('catch', entry['nextNodeId'], 'catch', index, 'nextNodeId');
  }
  for (const [outcome, target] of Object.entries(isObject(raw['transitions']) ? raw['transitions'] : {})) {
    add('transition', target, 'transitions', outcome);
  }
  const config = raw['config'];
  // Whatever the type, which may be misspelt: no other has these fields.
  if (!isObject(config)) return links;
  for (const [index, entry] of listOf(config['cases']).entries()) {
    if (isObject(entry)) add('case', entry['nextNodeId'], 'config', 'cases', index, 'nextNodeId');
  }
  add('case', config['defaultNodeId'], 'config', 'defaultNodeId');
  return links;
}

/**
 * The keys of the innermost node that holds the place at `keys`, or `null` outside of nodes.
 * Follows only the language's own lists of nodes.
 */
export function nodeKeysAt(document: Json, keys: Keys): Keys | null {
  let value: Json | undefined = document;
  let found: Keys | null = null;
  let at = 0;
  for (;;) {
    const steps = innerList(value, keys, at);
    if (steps === null || typeof keys[at + steps] !== 'number') return found;
    value = valueAt(value, keys.slice(at, at + steps + 1));
    at += steps + 1;
    if (!isObject(value)) return found;
    found = keys.slice(0, at);
  }
}

/** How many keys lead from the document or a node to the list of nodes that `keys` follows. */
function innerList(value: Json | undefined, keys: Keys, at: number): number | null {
  if (at === 0) return keys[0] === 'nodes' ? 1 : null;
  if (!isObject(value) || keys[at] !== 'config') return null;
  const type = value['type'];
  if ((type === 'forEach' || type === 'scope') && keys[at + 1] === 'nodes') return 2;
  return type === 'parallel' && keys[at + 1] === 'branches' && keys[at + 3] === 'nodes' ? 4 : null;
}
