/**
 * Rule about cycles: a run that goes round must wait somewhere on the way, or the rounds must be counted.
 */
import type { IssueList } from '../issue.ts';
import { isObject } from '../json/json-kinds.ts';
import type { Json } from '../types.ts';
import type { Rule } from './context.ts';
import { componentsOf, graphOf, isCycle } from './graph.ts';
import { judgeDuration } from './literals.ts';
import type { NodeOutline, ScopeOutline } from './outline.ts';

export const checkCycles: Rule = ({ outline, issues }) => {
  const waiting = waitingNodes(outline.nodes);
  for (const scope of outline.scopes) checkScope(scope, waiting, issues);
};

function checkScope(scope: ScopeOutline, waiting: ReadonlySet<NodeOutline>, issues: IssueList): void {
  const graph = graphOf(scope);
  const busy = (place: number): boolean => !waiting.has(scope.nodes[place] as NodeOutline);
  const unbounded = (place: number): boolean => busy(place) && scope.nodes[place]?.raw['maxVisits'] === undefined;
  const endless = new Set(
    componentsOf(graph, unbounded)
      .filter((component) => isCycle(graph, component))
      .flat(),
  );
  for (const component of componentsOf(graph, busy)) {
    if (!isCycle(graph, component)) continue;
    const members = component.toSorted((left, right) => left - right).map((place) => scope.nodes[place]);
    const first = members[0];
    if (first === undefined) continue;
    const names = members.slice(0, 5).map((node) => `"${node?.id}"`);
    const message =
      `${names.join(', ')}${members.length > 5 ? ' and others' : ''} can go round without waiting; ` +
      'put a delay, event or approval into the cycle, or set maxVisits on one of its nodes';
    const severity = component.some((place) => endless.has(place)) ? 'error' : 'warning';
    issues.addAs({ severity, code: 'definition.cycle_without_wait' }, first.keys, message);
  }
}

/** The nodes whose visit can take time other than its own work, those among them that hold such a node. */
function waitingNodes(nodes: readonly NodeOutline[]): ReadonlySet<NodeOutline> {
  const waiting = new Set<NodeOutline>();
  for (const node of nodes) {
    if (!canWait(node)) continue;
    for (let at: NodeOutline | null = node; at !== null && !waiting.has(at); at = at.scope.holder) waiting.add(at);
  }
  return waiting;
}

/** Whether a node waits by itself. */
export function canWait({ type, raw }: NodeOutline): boolean {
  const config = isObject(raw['config']) ? raw['config'] : {};
  if (type === 'workflow') return config['wait'] !== false;
  if (type === 'delay') return config['delayMs'] !== 0 && !isZero(config['duration']);
  return type === 'event' || type === 'approval';
}

function isZero(duration: Json | undefined): boolean {
  return typeof duration === 'string' && judgeDuration(duration) === 0;
}
