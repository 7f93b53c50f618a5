/**
 * Rule about nodes that no path reaches.
 */
import type { Rule } from './context.ts';

export const checkReachable: Rule = ({ outline, flow, issues }) => {
  for (const node of outline.nodes) {
    const isDouble = node.id !== null && node.scope.byId.get(node.id) !== node;
    if (isDouble || flow.isReached(node)) continue;
    const message = `no path leads to "${node.id}"; the walk follows nextNodeId and its like, not the order of the list`;
    issues.add('definition.unreachable_node', node.keys, message);
  }
};
