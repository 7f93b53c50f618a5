/**
 * Rule about fields that the walker never asks on this type of node.
 */
import { isObject } from '../json/json-kinds.ts';
import type { Rule } from './context.ts';
import type { NodeOutline } from './outline.ts';

/** Types whose visits end without a named outcome: `transitions` means nothing there. */
const UNNAMED = ['action', 'condition', 'assign', 'delay', 'parallel', 'forEach', 'scope', 'workflow', 'emit'];

const IDLE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...UNNAMED.map((type) => [type, ['transitions']] as const),
  ['switch', ['nextNodeId', 'transitions']],
  ['end', ['nextNodeId', 'fallbackNodeId', 'transitions']],
]);

export const checkIdleFields: Rule = ({ outline, issues }) => {
  for (const node of outline.nodes) {
    for (const field of IDLE.get(node.type ?? '') ?? []) {
      if (node.raw[field] === undefined) continue;
      const message = `"${field}" means nothing on a node of type ${node.type}`;
      issues.add('definition.no_effect', [...node.keys, field], message);
    }
    for (const field of idleConfigOf(node)) {
      issues.add('definition.no_effect', [...node.keys, 'config', field], `"${field}" means nothing with "delayMs"`);
    }
  }
};

/** Milliseconds know no calendar days, so no zone of their own. */
function idleConfigOf({ type, raw }: NodeOutline): readonly string[] {
  const config = raw['config'];
  if (type !== 'delay' || !isObject(config) || config['delayMs'] === undefined) return [];
  return config['timeZone'] !== undefined && config['calendar'] === undefined ? ['timeZone'] : [];
}
