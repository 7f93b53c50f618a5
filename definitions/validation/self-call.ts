/**
 * Rule about definitions that start themselves: some path must end without it.
 */
import { isObject } from '../json/json-kinds.ts';
import type { Rule } from './context.ts';
import { graphOf, reachableFrom } from './graph.ts';
import type { NodeOutline } from './outline.ts';

export const checkSelfCalls: Rule = ({ outline, issues }) => {
  const { id } = outline.document;
  for (const node of outline.nodes) {
    const config = node.raw['config'];
    if (node.type !== 'workflow' || !isObject(config) || config['definitionId'] !== id) continue;
    if (!isUnavoidable(node)) continue;
    const message = 'every run starts another run of this definition; let a condition lead past this node';
    issues.add('definition.self_call', [...node.keys, 'config', 'definitionId'], message);
  }
};

/** Whether no path through its scope, and through those around it, ends without this node. */
function isUnavoidable(node: NodeOutline): boolean {
  const { scope } = node;
  if (scope.start === null || scope.kind === 'item') return false;
  const reached = reachableFrom(graphOf(scope), [scope.start.index], node.index);
  for (const place of reached) if (mayEnd(scope.nodes[place])) return false;
  return scope.holder === null || isUnavoidable(scope.holder);
}

/** Whether the scope can end after this node. */
function mayEnd(node: NodeOutline | undefined): boolean {
  if (node === undefined || node.type === 'end') return true;
  if (node.type === 'switch') return false;
  if (node.type === 'condition' && !node.links.some(({ kind }) => kind === 'fallback')) return true;
  return !node.links.some(({ kind }) => kind === 'next');
}
