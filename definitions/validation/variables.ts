/**
 * Rules about writing variables: a branch or item writes a variable of the scope around it only where `shared` names it.
 */
import { isList, isObject } from '../json/json-kinds.ts';
import type { Json } from '../types.ts';
import type { Rule } from './context.ts';
import { assignedBy } from './flow.ts';
import type { NodeOutline, ScopeOutline } from './outline.ts';

export const checkVariables: Rule = ({ outline, issues }) => {
  const assigned = new Map<ScopeOutline, ReadonlySet<string>>();
  const { vars } = outline.document;
  const isOuter = (name: string, scope: ScopeOutline): boolean => {
    if (isObject(vars) && Object.hasOwn(vars, name)) return true;
    return holdersOf(scope).some((holder) => assignedIn(holder.scope, assigned).has(name));
  };
  for (const node of outline.nodes) {
    for (const name of assignedBy(node)) {
      const border = borderOf(node, (scope) => isOuter(name, scope), name);
      if (border === null) continue;
      const message = `"${name}" is a variable outside of "${border.id}"; name it in "shared" there to write it from inside`;
      issues.add('definition.undeclared_shared', [...node.keys, 'config', 'vars', name], message);
    }
  }
};

/** The innermost holder between `node` and the variable's own scope that does not share it; `null`: the write is fine. */
function borderOf(node: NodeOutline, isOuter: (scope: ScopeOutline) => boolean, name: string): NodeOutline | null {
  for (let { scope } = node; scope.holder !== null; scope = scope.holder.scope) {
    if (scope.kind === 'scope') continue;
    if (!isOuter(scope)) return null;
    if (!sharedBy(scope.holder).includes(name)) return scope.holder;
  }
  return null;
}

/** The nodes that hold a scope, innermost first. */
function holdersOf(scope: ScopeOutline): NodeOutline[] {
  const holders: NodeOutline[] = [];
  for (let { holder } = scope; holder !== null; holder = holder.scope.holder) holders.push(holder);
  return holders;
}

function assignedIn(scope: ScopeOutline, known: Map<ScopeOutline, ReadonlySet<string>>): ReadonlySet<string> {
  const names = known.get(scope) ?? new Set(scope.nodes.flatMap(assignedBy));
  known.set(scope, names);
  return names;
}

function sharedBy(holder: NodeOutline): readonly Json[] {
  const config = holder.raw['config'];
  return isObject(config) && isList(config['shared']) ? config['shared'] : [];
}
