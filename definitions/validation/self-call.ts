/**
 * Rules about nodes that start other definitions: one is named, and no definition starts itself without end, neither
 * directly nor through others that are known.
 */
import { isObject } from '../json/json-kinds.ts';
import type { Json } from '../types.ts';
import type { DefinitionCatalog, Rule } from './context.ts';
import { exactlyOne } from './literals.ts';
import { type NodeOutline, type Outline, outlineOf } from './outline.ts';
import { unavoidableIn } from './unavoidable.ts';

export const checkSelfCalls: Rule = ({ outline, issues, definitions }) => {
  const { id } = outline.document;
  for (const { node, raw, keys } of outline.nodes) {
    if (node?.type !== 'workflow' || !isObject(raw['config'])) continue;
    exactlyOne(raw['config'], ['definitionId', 'workflowType'], { keys: [...keys, 'config'], issues });
  }
  if (typeof id !== 'string') return;
  const known = new Map<string, readonly string[]>();
  const callsBy = (called: string): readonly string[] => {
    const calls = known.get(called) ?? callsOf(called, definitions ?? {});
    known.set(called, calls);
    return calls;
  };
  for (const { node, called } of unavoidableCalls(outline)) {
    const way = wayBack(called, id, callsBy);
    if (way === null) continue;
    const through = way.length === 0 ? '' : `, through ${way.map((one) => `"${one}"`).join(' and ')}`;
    const message = `every run starts another run of this definition${through}; let a condition lead past this node`;
    issues.add('definition.self_call', [...node.keys, 'config', 'definitionId'], message);
  }
};

interface Call {
  readonly node: NodeOutline;
  /** Id of the definition. */
  readonly called: string;
}

/** Ids of the definitions whose active version a document may start. */
export function calledDefinitions(document: Json): readonly string[] {
  const calls = isObject(document) ? callsIn(outlineOf(document, () => false)) : [];
  return [...new Set(calls.map(({ called }) => called))];
}

/** A call of a version by its number goes to what is there already, so it cannot lead round. */
function callsIn(outline: Outline): Call[] {
  return outline.nodes.flatMap((node) => {
    const config = node.raw['config'];
    if (node.type !== 'workflow' || !isObject(config) || typeof config['version'] === 'number') return [];
    const called = config['definitionId'];
    return typeof called === 'string' ? [{ node, called }] : [];
  });
}

/** The calls that every run of a definition makes. */
function unavoidableCalls(outline: Outline): Call[] {
  return callsIn(outline).filter(({ node }) => isUnavoidable(node));
}

/** The definitions on the way from `from` back to `id`, by calls that every run makes; `null`: there is no such way. */
function wayBack(from: string, id: string, callsBy: (id: string) => readonly string[]): readonly string[] | null {
  const open: { readonly at: string; readonly way: readonly string[] }[] = [{ at: from, way: [] }];
  const seen = new Set<string>();
  for (const { at, way } of open) {
    if (at === id) return way;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const called of callsBy(at)) open.push({ at: called, way: [...way, at] });
  }
  return null;
}

function callsOf(id: string, definitions: DefinitionCatalog): readonly string[] {
  const document = Object.hasOwn(definitions, id) ? definitions[id] : undefined;
  return isObject(document) ? unavoidableCalls(outlineOf(document, () => false)).map(({ called }) => called) : [];
}

/** Whether every path through its scope, and through those around it, passes this node. An item may not be there. */
function isUnavoidable({ scope, index }: NodeOutline): boolean {
  if (scope.kind === 'item' || !unavoidableIn(scope).has(index)) return false;
  return scope.holder === null || isUnavoidable(scope.holder);
}
