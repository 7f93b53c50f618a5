/**
 * Rule about comparisons with a type of event or an outcome that cannot be there: a branch that nothing ever takes.
 */
import { comparisonsOf, type TextComparison } from '../expressions/index.ts';
import { isList } from '../json/json-kinds.ts';
import type { Json } from '../types.ts';
import type { Rule, ValidationContext } from './context.ts';
import { expressionsOf } from './expression-texts.ts';
import { suggestion } from './nearest.ts';
import { outcomesOf } from './outcomes.ts';
import type { NodeOutline } from './outline.ts';
import type { Site } from './sites.ts';
import { triggersOf } from './triggers.ts';

export const checkEventTypes: Rule = (context) => {
  for (const site of context.sites) {
    for (const { text, keys } of expressionsOf(site)) {
      if (!mayCompare(text)) continue;
      for (const comparison of comparisonsOf(text)) {
        const known = expectedAt(comparison, site, context);
        for (const tested of known === null ? [] : comparison.texts) {
          if (known === null || known.values.includes(tested)) continue;
          const listed = known.values.length === 0 ? 'none' : known.values.join(', ');
          const hint = suggestion(tested, known.values);
          const message = `${comparison.path.join('.')} is never "${tested}"${hint}; ${known.source} ${listed}`;
          context.issues.addAs({ severity: 'warning', code: known.code }, keys, message);
        }
      }
    }
  }
};

/** A quick look, so that most expressions are not parsed for it. */
function mayCompare(text: string): boolean {
  return (text.includes('type') || text.includes('outcome')) && (text.includes('"') || text.includes("'"));
}

interface Expected {
  readonly code: 'definition.unknown_event_type' | 'definition.unknown_outcome';
  readonly values: readonly string[];
  readonly source: string;
}

/** The values that a path can have at a site; `null`: nothing is known of them. */
function expectedAt({ path }: TextComparison, site: Site, context: ValidationContext): Expected | null {
  const [root, second = '', third, fourth] = path;
  if (root === 'event' && second === 'type' && path.length === 2) return typesAt(site, context);
  if (root !== 'nodes' || site.place === null) return null;
  const node = context.flow.visible(second, context.flow.stepsOf(site.place));
  if (node === null) return null;
  if (third === 'outcome' && path.length === 3) return outcomesAt(node);
  if (third === 'output' && fourth === 'outcome' && node.type === 'approval' && path.length === 4)
    return outcomesAt(node);
  return third === 'output' && fourth === 'type' && path.length === 4 ? typesOf(node) : null;
}

const TYPE = 'definition.unknown_event_type';

/** In the filter of a trigger or wait `event` is what arrives, elsewhere what started the run. */
function typesAt({ keys, place, names }: Site, { outline }: ValidationContext): Expected | null {
  if (place !== null && 'node' in place && keys.at(-1) === 'filter') return typesOf(place.node);
  const triggers = triggersOf(outline.document['trigger']);
  const own =
    names === 'run' ? undefined : triggers.find((trigger) => trigger.keys.every((key, at) => keys[at] === key));
  const values = (own === undefined ? triggers : [own]).flatMap(({ trigger }) => texts(trigger['event']));
  return values.length === 0 ? null : { code: TYPE, values, source: 'the triggers deliver' };
}

function typesOf({ type, node, id }: NodeOutline): Expected | null {
  if (type !== 'event' || node?.type !== 'event') return null;
  return { code: TYPE, values: texts(node.config.event), source: `"${id}" waits for` };
}

/** A visit that an error ended has the outcome `error`. */
function outcomesAt(node: NodeOutline): Expected | null {
  const outcomes = outcomesOf(node);
  if (outcomes === null) return null;
  return {
    code: 'definition.unknown_outcome',
    values: [...outcomes, 'error'],
    source: `the outcomes of "${node.id}" are`,
  };
}

function texts(value: Json | readonly string[] | undefined): readonly string[] {
  return (isList(value) ? value : [value]).filter((item) => typeof item === 'string');
}
