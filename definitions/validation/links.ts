/**
 * Rules about where nodes lead: targets exist in the same scope, every node can be reached, cycles can wait.
 */
import type { IssueList } from '../issue.ts';
import { isObject } from '../json/json-kinds.ts';
import type { Rule } from './context.ts';
import { componentsOf, type Graph, graphOf, isCycle, reachableFrom } from './graph.ts';
import type { Link, NodeOutline, Outline, ScopeOutline } from './outline.ts';

export const checkLinks: Rule = ({ outline, issues }) => {
  checkStart(outline, issues);
  for (const node of outline.nodes) {
    for (const link of node.links) checkTarget(link, node, { outline, issues });
    checkIdleLinks(node, issues);
  }
  for (const scope of outline.scopes) {
    const graph = graphOf(scope);
    checkReachable(scope, graph, issues);
    checkCycles(scope, graph, issues);
  }
};

function checkStart(outline: Outline, issues: IssueList): void {
  const { start } = outline.document;
  if (typeof start !== 'string') return;
  const [top] = outline.scopes;
  if (top === undefined || top.byId.has(start)) return;
  const elsewhere = outline.byId.has(start);
  issues.add(
    elsewhere ? 'definition.jump_out_of_scope' : 'definition.unknown_node',
    ['start'],
    elsewhere
      ? `"start" names "${start}", which is not a node of the top scope`
      : `"start" names "${start}", no such node`,
  );
}

interface Target {
  readonly outline: Outline;
  readonly issues: IssueList;
}

function checkTarget(link: Link, node: NodeOutline, { outline, issues }: Target): void {
  if (node.scope.byId.has(link.target)) return;
  if (outline.byId.has(link.target)) {
    const message = `"${node.id}" leads to "${link.target}", a node of another scope`;
    issues.add('definition.jump_out_of_scope', link.keys, message);
  } else {
    issues.add('definition.unknown_node', link.keys, `"${node.id}" leads to "${link.target}", no such node`);
  }
}

/** Links that the walker never asks on this type of node. */
function checkIdleLinks(node: NodeOutline, issues: IssueList): void {
  const warn = (field: string): void => {
    if (node.raw[field] !== undefined) {
      issues.add(
        'definition.no_effect',
        [...node.keys, field],
        `"${field}" means nothing on a node of type ${node.type}`,
      );
    }
  };
  if (node.type === 'end') for (const field of ['nextNodeId', 'fallbackNodeId', 'transitions']) warn(field);
  if (node.type === 'switch') for (const field of ['nextNodeId', 'transitions']) warn(field);
  if (node.type === 'condition' || node.type === 'assign' || node.type === 'action') warn('transitions');
}

function checkReachable(scope: ScopeOutline, graph: Graph, issues: IssueList): void {
  if (scope.start === null) return;
  const reached = reachableFrom(graph, [scope.start.index]);
  for (const node of scope.nodes) {
    const isDouble = node.id !== null && scope.byId.get(node.id) !== node;
    if (reached.has(node.index) || isDouble) continue;
    const message = `no path leads to "${node.id}"; the walk follows nextNodeId and its like, not the order of the list`;
    issues.add('definition.unreachable_node', node.keys, message);
  }
}

function checkCycles(scope: ScopeOutline, graph: Graph, issues: IssueList): void {
  const busy = (place: number): boolean => !canWait(scope.nodes[place]);
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

const WAITING_TYPES = new Set(['delay', 'event', 'approval', 'workflow']);

/** Whether a visit can take time other than its own work; a node with scopes can if any node inside can. */
function canWait(node: NodeOutline | undefined): boolean {
  if (node === undefined || node.type === null) return false;
  if (node.type === 'workflow') return !isObject(node.raw['config']) || node.raw['config']['wait'] !== false;
  if (WAITING_TYPES.has(node.type)) return true;
  return node.scopes.some((scope) => scope.nodes.some(canWait));
}
