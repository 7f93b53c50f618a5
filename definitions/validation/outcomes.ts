/**
 * Rule about `transitions`: each names an outcome that the node can have.
 */
import { DEFAULT_OUTCOMES } from '../approval-outcomes.ts';
import type { Rule } from './context.ts';
import { suggestion } from './nearest.ts';
import type { NodeOutline } from './outline.ts';

export const checkOutcomes: Rule = ({ outline, issues }) => {
  for (const outlined of outline.nodes) {
    const outcomes = outcomesOf(outlined);
    if (outcomes === null) continue;
    for (const outcome of Object.keys(outlined.node?.transitions ?? {})) {
      if (outcomes.includes(outcome)) continue;
      const hint = suggestion(outcome, outcomes);
      const why = outcome === 'timeout' ? 'it has no "timeout"' : `its outcomes are ${outcomes.join(', ')}${hint}`;
      const message = `"${outlined.id}" cannot end with "${outcome}"; ${why}`;
      issues.add('definition.unknown_outcome', [...outlined.keys, 'transitions', outcome], message);
    }
  }
};

/** The named outcomes that visits of a node can have; `null`: its type has none, or its form is wrong. */
export function outcomesOf({ node }: NodeOutline): readonly string[] | null {
  if (node?.type !== 'event' && node?.type !== 'approval') return null;
  const named = node.type === 'event' ? [node.config.event].flat() : (node.config.outcomes ?? DEFAULT_OUTCOMES);
  return node.config.timeout === undefined ? named : [...named, 'timeout'];
}
