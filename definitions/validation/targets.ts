/**
 * Rule about where links lead: to a node that exists, in the same scope.
 */
import type { IssueList } from '../issue.ts';
import type { Rule } from './context.ts';
import { meantHint } from './meant.ts';
import type { Link, NodeOutline, Outline } from './outline.ts';

export const checkTargets: Rule = ({ outline, issues }) => {
  checkStart(outline, issues);
  for (const node of outline.nodes) {
    for (const link of node.links) checkTarget(link, node, { outline, issues });
  }
};

function checkStart(outline: Outline, issues: IssueList): void {
  const { start } = outline.document;
  if (typeof start !== 'string') return;
  const [top] = outline.scopes;
  if (top === undefined || top.byId.has(start)) return;
  if (outline.byId.has(start)) {
    const message = `"start" names "${start}", which is not a node of the top scope`;
    issues.add('definition.jump_out_of_scope', ['start'], message);
  } else {
    const message = `"start" names "${start}", no such node${meantHint(start, [top])}`;
    issues.add('definition.unknown_node', ['start'], message);
  }
}

interface Target {
  readonly outline: Outline;
  readonly issues: IssueList;
}

function checkTarget({ target, keys }: Link, { id, scope }: NodeOutline, { outline, issues }: Target): void {
  if (scope.byId.has(target)) return;
  if (outline.byId.has(target)) {
    issues.add('definition.jump_out_of_scope', keys, `"${id}" leads to "${target}", a node of another scope`);
  } else {
    const hint = meantHint(target, [scope]);
    issues.add('definition.unknown_node', keys, `"${id}" leads to "${target}", no such node${hint}`);
  }
}
