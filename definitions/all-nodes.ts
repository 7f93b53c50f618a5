/** The nodes of a scope and of every scope inside it, in the order of the document. */
import type { Node } from './types.ts';

export function allNodes(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...allNodes(inside(node))]);
}

function inside(node: Node): readonly Node[] {
  if (node.type === 'parallel') return node.config.branches.flatMap((branch) => branch.nodes);
  return node.type === 'forEach' || node.type === 'scope' ? node.config.nodes : [];
}
