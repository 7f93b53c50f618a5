/** Nodes of the reference that pause for nothing of their own. */
import type { AssignNode, ConditionNode, EndNode, ScopeNode, SwitchNode } from '../../definitions/types.ts';
import { ms, takeBack } from './commands.ts';
import type { Steps } from './fibers.ts';
import { walk } from './walk.ts';
import {
  type Done,
  expression,
  failed,
  fault,
  guarded,
  isFailed,
  isIn,
  isLost,
  isStopping,
  namesOf,
  type Outcome,
  outputOf,
  type Scope,
  setVar,
  template,
  use,
  type Visit,
  type World,
} from './world.ts';

export function condition(world: World, { scope, node }: Visit): Outcome {
  const { expression: text, onError = 'fail' } = (node as ConditionNode).config;
  const holds = guarded(node.id, () => expression(namesOf(world, scope), text));
  if (typeof holds === 'boolean') return { kind: 'condition', holds };
  if (onError !== 'fail') return { kind: 'condition', holds: onError === 'true' };
  return isFailed(holds) ? holds : failed(fault('EXPRESSION_ERROR', node.id));
}

export function choice(world: World, { scope, node }: Visit): Outcome {
  const { cases, defaultNodeId } = (node as SwitchNode).config;
  for (const [index, { when, nextNodeId }] of cases.entries()) {
    const holds = guarded(node.id, () => expression(namesOf(world, scope), when));
    if (isFailed(holds)) return holds;
    if (holds === true) return { kind: 'jump', to: nextNodeId, name: `case ${index + 1}` };
    if (holds !== false) return failed(fault('EXPRESSION_ERROR', node.id));
  }
  if (defaultNodeId !== undefined) return { kind: 'jump', to: defaultNodeId, name: 'default' };
  return failed(fault('NO_MATCH', node.id));
}

export function assign(world: World, { scope, node }: Visit): Outcome {
  const { vars } = (node as AssignNode).config;
  const names = namesOf(world, scope);
  const values = guarded(node.id, () =>
    Object.entries(vars).map(([name, text]) => [name, template(names, text)] as const),
  );
  if (isFailed(values)) return values;
  for (const [name, value] of values) {
    use(world, `variable ${name}`, scope);
    setVar(scope, name, value);
  }
  return { kind: 'success', output: null };
}

export function end(world: World, { scope, node }: Visit): Outcome {
  const { status: state = 'completed', output: text, error } = (node as EndNode).config ?? {};
  const output = guarded(node.id, () => ({ is: outputOf(world, scope, text ?? world.definition.output) }));
  if (isFailed(output)) return output;
  const type = error?.type ?? (state === 'cancelled' ? 'CANCELLED' : 'FAILED');
  const why = state === 'completed' ? null : fault(type, node.id);
  return { kind: 'end', ending: { state, output: output.is, error: why } };
}

export function* scoped(world: World, visit: Visit): Steps<Outcome> {
  const { scope: outer, node } = visit;
  const { nodes, output, timeout, undo = false } = (node as ScopeNode).config;
  const inner: Scope = {
    parent: outer,
    nodes,
    path: visit.number === 1 ? outer.path : `${outer.path}${node.id}.${visit.number}/`,
    shared: 'all',
    locals: {},
    seen: {},
    own: {},
    results: {},
    visits: new Map(),
    error: null,
    last: null,
    limitAt: visit.startedAt + ms(timeout),
    isStopped: () => false,
  };
  const how = yield* walk(world, inner);
  if (how.kind === 'end') return how;
  const isLate = world.fibers.now >= inner.limitAt && !isStopping(world, outer);
  if (how.kind === 'ended' && !isLate) {
    const value = guarded(node.id, () => ({ is: outputOf(world, inner, output) }));
    return isFailed(value) ? value : { kind: 'success', output: value.is };
  }
  // A run that stops takes everything back by itself.
  const mine = ({ lost }: Done): boolean => lost || (undo && (!isStopping(world, outer) || isLost(world, outer)));
  yield* takeBack(world, (done) => isIn(done.visit.scope, inner) && mine(done));
  return failed(how.kind === 'error' && !isLate ? how.error : fault('TIMEOUT', node.id));
}
