/**
 * Rules about variables that cross the border of a branch or item: written only where every holder between names them in
 * `shared`, and `shared` names only what is there.
 *
 * A `scope` node is no border: it shares everything with the scope around it. A name that nothing outside can have set
 * before is a private name of the branch or item.
 */
import type { IssueList } from '../issue.ts';
import { isObject, listOf } from '../json/json-kinds.ts';
import type { Json } from '../types.ts';
import { assignedBy } from './assigned.ts';
import type { Rule } from './context.ts';
import type { Flow } from './flow.ts';
import { suggestion } from './nearest.ts';
import type { NodeOutline } from './outline.ts';

export const checkVariables: Rule = ({ outline, flow, issues }) => {
  for (const node of outline.nodes) {
    for (const name of assignedBy(node)) checkWrite(name, node, { flow, issues });
    for (const [index, name] of sharedBy(node).entries()) {
      if (typeof name === 'string') checkShared(name, node, { index, flow, issues });
    }
  }
};

interface Known {
  readonly flow: Flow;
  readonly issues: IssueList;
}

function checkWrite(name: string, node: NodeOutline, { flow, issues }: Known): void {
  const border = borderOf(name, node, flow);
  if (border === null) return;
  const message = `"${name}" is a variable outside of "${border.id}"; name it in "shared" there to write it from inside`;
  issues.add('definition.undeclared_shared', [...node.keys, 'config', 'vars', name], message);
}

/** The innermost holder between `node` and the variable's own scope that does not share it; `null`: the write is fine. */
function borderOf(name: string, node: NodeOutline, flow: Flow): NodeOutline | null {
  for (let { scope } = node; scope.holder !== null; scope = scope.holder.scope) {
    if (scope.kind === 'scope' || sharedBy(scope.holder).includes(name)) continue;
    return flow.isSetBefore(name, flow.stepsOf({ node: scope.holder })) ? scope.holder : null;
  }
  return null;
}

function checkShared(name: string, holder: NodeOutline, { index, flow, issues }: Known & { index: number }): void {
  if (flow.canBeSet(name, flow.stepsOf({ node: holder }))) return;
  const hint = suggestion(name, flow.variables());
  const message = `"shared" names "${name}", a variable that nothing outside of "${holder.id}" can have set before${hint}`;
  issues.add('definition.unknown_variable', [...holder.keys, 'config', 'shared', index], message);
}

function sharedBy({ type, raw }: NodeOutline): readonly Json[] {
  const config = raw['config'];
  return (type === 'parallel' || type === 'forEach') && isObject(config) ? listOf(config['shared']) : [];
}
