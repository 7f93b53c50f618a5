/**
 * Rule about paths that are hidden: `redact`.
 */
import { listOf } from '../json/json-kinds.ts';
import type { Rule } from './context.ts';
import { checkPath } from './literals.ts';

export const checkRedact: Rule = ({ outline, issues }) => {
  for (const [index, path] of listOf(outline.document['redact']).entries()) {
    if (typeof path === 'string') checkPath(path, { keys: ['redact', index], issues });
  }
};
