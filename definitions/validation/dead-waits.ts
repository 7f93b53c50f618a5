/**
 * Rule about waits that never come to their end: in a branch that always loses, or longer than what is around them lives.
 */
import type { IssueList } from '../issue.ts';
import { isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { Join, Json, ParallelNode } from '../types.ts';
import type { Rule } from './context.ts';
import { canWait } from './cycles.ts';
import { isTemplate, judgeDuration } from './literals.ts';
import type { NodeOutline, Outline, ScopeOutline } from './outline.ts';
import { unavoidableIn } from './unavoidable.ts';

export const checkDeadWaits: Rule = ({ outline, issues }) => {
  for (const outlined of outline.nodes) {
    const { node } = outlined;
    if (node?.type === 'parallel') checkRace(node, outlined, issues);
    else if (node !== null && canWait(outlined)) checkLength(outlined, outline, issues);
  }
};

/** Nodes that take no time of their own. */
const INSTANT = new Set(['assign', 'condition', 'switch', 'end']);

function checkRace({ config }: ParallelNode, { scopes }: NodeOutline, issues: IssueList): void {
  const wanted = winnersOf(config.join);
  const instant = scopes.filter(({ nodes }) => nodes.every(({ type }) => INSTANT.has(type ?? '')));
  const [winner] = instant;
  if (wanted === null || instant.length < wanted || winner === undefined) return;
  for (const scope of scopes) {
    const wait = [...unavoidableIn(scope)].map((place) => scope.nodes[place]).find((node) => node && canWait(node));
    if (wait === undefined) continue;
    const message = `"${wait.id}" never ends its wait: the branch "${nameOf(winner)}" is done at once and wins`;
    issues.add('definition.never_happens', wait.keys, message);
  }
}

/** How many branches decide a join, `null`: all do. */
function winnersOf(join: Join | undefined): number | null {
  if (join === 'first' || join === 'any') return 1;
  return typeof join === 'object' ? join.count : null;
}

function nameOf({ owner }: ScopeOutline): string {
  return typeof owner['id'] === 'string' ? owner['id'] : '?';
}

function checkLength(outlined: NodeOutline, outline: Outline, issues: IssueList): void {
  const wait = lengthOf(outlined);
  const limit = wait && limitAround(outlined, outline);
  if (!limit || wait.ms < limit.ms) return;
  const message = `"${outlined.id}" waits for ${wait.text}, but ${limit.what} ends after ${limit.text}`;
  issues.add('definition.never_happens', [...outlined.keys, 'config', ...wait.keys], message);
}

interface Length {
  readonly ms: number;
  readonly text: string;
  readonly keys: Keys;
}

/** How long a node waits at least if nothing else ends its wait, where that is literal. */
function lengthOf({ type, raw }: NodeOutline): Length | null {
  const config = raw['config'];
  if (!isObject(config)) return null;
  if (type !== 'delay') return literal(config['timeout'], ['timeout']);
  const { delayMs, duration } = config;
  if (typeof delayMs === 'number') return { ms: delayMs, text: `${delayMs} ms`, keys: ['delayMs'] };
  return literal(duration, ['duration']);
}

function literal(text: Json | undefined, keys: Keys): Length | null {
  if (typeof text !== 'string' || isTemplate(text)) return null;
  const ms = judgeDuration(text);
  return typeof ms === 'number' ? { ms, text, keys } : null;
}

type Limit = Length & { readonly what: string };

/** The shortest literal `timeout` of the scopes around a node and of the run. */
function limitAround({ scope }: NodeOutline, { document }: Outline): Limit | null {
  const run = literal(document['timeout'], []);
  let shortest: Limit | null = run && { ...run, what: 'the run' };
  for (let { holder } = scope; holder !== null; holder = holder.scope.holder) {
    const own = holder.type === 'scope' ? lengthOf(holder) : null;
    if (own !== null && own.ms < (shortest?.ms ?? Infinity)) shortest = { ...own, what: `the scope "${holder.id}"` };
  }
  return shortest;
}
