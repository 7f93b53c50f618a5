/**
 * Rule about joins: a count that can be reached, and items that are a list.
 */
import { literalOf } from './constants.ts';
import type { Json } from '../types.ts';
import type { Rule } from './context.ts';
import type { Place } from './literals.ts';

export const checkJoins: Rule = ({ outline, issues }) => {
  for (const { node, keys } of outline.nodes) {
    const place = { keys: [...keys, 'config'], issues };
    if (node?.type === 'parallel') {
      checkCount(node.config.join, { ...place, parts: node.config.branches.length, what: 'branches' });
    } else if (node?.type === 'forEach') {
      const items = literalOf(node.config.items);
      if (items === undefined) continue;
      if (Array.isArray(items)) checkCount(node.config.join, { ...place, parts: items.length, what: 'items' });
      else {
        const message = `"items" must give a list, and this is ${kindOf(items)}`;
        issues.add('definition.invalid_value', [...place.keys, 'items'], message);
      }
    }
  }
};

interface Parts extends Place {
  readonly parts: number;
  readonly what: string;
}

function checkCount(join: unknown, { parts, what, keys, issues }: Parts): void {
  const count = typeof join === 'object' && join !== null && 'count' in join ? join.count : null;
  if (typeof count !== 'number' || count <= parts) return;
  const message = `"count" asks for ${count} ${what}, but there are ${parts}`;
  issues.add('definition.quorum_impossible', [...keys, 'join', 'count'], message);
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `${value}`;
}
