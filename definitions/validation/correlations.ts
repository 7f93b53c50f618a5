/**
 * Rule about `correlate`: paths into the envelope of the arriving event, and values that can be equal to what is there.
 */
import { parsePath } from '../json/path.ts';
import type { Rule } from './context.ts';
import { checkPath, type Place } from './literals.ts';
import { EVENT_FIELDS } from './references.ts';

export const checkCorrelations: Rule = ({ outline, issues }) => {
  for (const { node, keys } of outline.nodes) {
    if (node?.type !== 'event') continue;
    for (const [path, value] of Object.entries(node.config.correlate ?? {})) {
      const place = { keys: [...keys, 'config', 'correlate', path], issues };
      checkPath(path, place);
      checkField(path, place);
      if (typeof value !== 'object' || value === null) continue;
      const message = 'a list or an object is equal to nothing; compare the single values inside it';
      issues.add('definition.invalid_value', place.keys, message);
    }
  }
};

function checkField(path: string, { keys, issues }: Place): void {
  const field = parsePath(path)?.[0];
  if (field === undefined || EVENT_FIELDS.includes(field)) return;
  const message = `an event has no field "${field}", so nothing is equal to it; its own data is behind "data", as in "data.${path}"`;
  issues.add('definition.never_happens', keys, message);
}
