/**
 * Rule about paths that are written as text: `redact` and the keys of `correlate`. Those of filters are told with them.
 */
import { listOf } from '../json/json-kinds.ts';
import type { Rule } from './context.ts';
import { checkPath, checkPathKeys } from './literals.ts';

export const checkPaths: Rule = ({ outline, issues }) => {
  for (const [index, path] of listOf(outline.document['redact']).entries()) {
    if (typeof path === 'string') checkPath(path, { keys: ['redact', index], issues });
  }
  for (const { node, keys } of outline.nodes) {
    if (node?.type !== 'event') continue;
    checkPathKeys(node.config.correlate, { keys: [...keys, 'config', 'correlate'], issues });
  }
};
