/**
 * Which variables a node sets.
 */
import { isObject } from '../json/json-kinds.ts';
import type { NodeOutline } from './outline.ts';

/** The variables that a node sets in its own scope when it has ended. */
export function namesSetBy(node: NodeOutline): ReadonlySet<string> {
  const names = new Set(assignedBy(node));
  for (const scope of node.scopes) {
    if (scope.kind !== 'scope') continue;
    for (const inner of scope.nodes) for (const name of namesSetBy(inner)) names.add(name);
  }
  return names;
}

/** The variables that a node of type `assign` names. */
export function assignedBy(node: NodeOutline): readonly string[] {
  const config = node.raw['config'];
  return node.type === 'assign' && isObject(config) && isObject(config['vars']) ? Object.keys(config['vars']) : [];
}
