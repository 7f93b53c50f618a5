/**
 * The walk: from node to node through one scope, until it ends.
 *
 * Invariants:
 * 1. A safe point is the moment between two visits, and any moment of a wait: there a run can stop and go on elsewhere.
 * 2. Nodes that take no time are walked without a promise.
 * 3. A walk has fuel: after `LIMITS.fuelVisits` visits or `LIMITS.fuelSteps` expression steps without an effect it yields.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { hasOwn, PromiseType } from '../definitions/intrinsics.ts';
import { withCause } from './causes.ts';
import type { NodeState, VisitState } from './checkpoint.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { CompiledNode } from './compile.ts';
import { closeWait, errorOf, faultless, isRolloverDue, record, releaseBytes } from './context.ts';
import type { Later } from './later.ts';
import { type Outcome, outcomeName, type ScopeEnd, SUSPENDED, type Step } from './outcome.ts';
import { keepResult } from './results.ts';
import { route } from './routing.ts';
import { cancelledError, isStopping, type Scope, type Visit } from './scope.ts';

/** Walks a scope from where its frame stands; gives its end at once if nothing in it takes time. */
export function walkScope(scope: Scope): Later<ScopeEnd> {
  return scope.effects.run((): Later<ScopeEnd> => {
    const at = walkToWait(scope);
    return at.kind === 'waiting' ? walkOn(scope, at) : at;
  });
}

/** A walk that can go no further now; `begun` is `null` where it only hands the thread back. */
interface Waiting {
  readonly kind: 'waiting';
  readonly begun: Begun | null;
  readonly until: Promise<Step | void>;
}

/** Walks until something takes time. */
function walkToWait(scope: Scope): ScopeEnd | Waiting {
  const { run, frame, nodes } = scope;
  while (frame.nodeId !== null) {
    if (frame.visit === null) {
      if (isStopping(scope)) return { kind: 'error', error: cancelledError(scope, frame.nodeId) };
      if (isRolloverDue(run)) return SUSPENDED;
      if (run.fuel.isSpent()) {
        return { kind: 'waiting', begun: null, until: run.fuel.handBack(() => run.effects.yield()) };
      }
    }
    const begun = beginVisit(scope, nodes.byId.get(frame.nodeId) as CompiledNode);
    if (begun.kind === 'refused') return { kind: 'error', error: begun.error };
    const step = proceed(begun);
    if (step instanceof PromiseType) return { kind: 'waiting', begun, until: step };
    const end = endVisit(begun, step);
    if (end !== null) return end;
  }
  return { kind: 'ended' };
}

async function walkOn(scope: Scope, from: Waiting): Promise<ScopeEnd> {
  for (let at = from; ; ) {
    const { begun, until } = at;
    let step: Step | void;
    try {
      step = await until;
    } catch (thrown) {
      step = { kind: 'error', error: errorOf(thrown, scope.frame.nodeId) };
    }
    if (begun && step) {
      if (!begun.node.type.holdsScopes) scope.run.fuel.refill();
      const end = endVisit(begun, step);
      if (end !== null) return end;
    }
    const next = walkToWait(scope);
    if (next.kind !== 'waiting') return next;
    at = next;
  }
}

interface Begun {
  readonly kind: 'begun';
  readonly visit: Visit<unknown>;
  readonly node: CompiledNode;
  /** The state, or the error that entering the node gave. */
  readonly state: VisitState | { readonly error: ErrorInfo };
}
type Refused = { readonly kind: 'refused'; readonly error: ErrorInfo };

/** Enters the node, or finds the visit that a checkpoint brought along. */
function beginVisit(scope: Scope, node: CompiledNode): Begun | Refused {
  const { run, frame } = scope;
  const nodeId = node.node.id;
  const before = hasOwn(frame.visits, nodeId) ? (frame.visits[nodeId] as number) : 0;
  const shared = { run, scope, nodeId, label: node.label, config: node.config };
  if (frame.visit !== null) {
    const { seq, startedAt } = frame.visit;
    return { kind: 'begun', node, visit: { ...shared, visit: before, seq, startedAt }, state: frame.visit };
  }
  if (before >= node.maxVisits) return { kind: 'refused', error: tooManyVisits(node) };
  frame.visits[nodeId] = before + 1;
  const seq = ++run.checkpoint.counts.visits;
  const visit = { ...shared, visit: before + 1, seq, startedAt: run.effects.now() };
  const state = faultless(nodeId, () => node.type.enter(visit));
  if ('error' in state) return { kind: 'begun', node, visit, state: { error: state.error } };
  frame.visit = { seq, startedAt: visit.startedAt, node: state.value };
  if (state.value.kind !== 'instant') recordVisit(visit, node, null);
  return { kind: 'begun', node, visit, state: frame.visit };
}

function tooManyVisits({ node, maxVisits }: CompiledNode): ErrorInfo {
  const message = `The node ${node.id} was visited ${maxVisits} times; its maxVisits allows no more`;
  return { type: 'LIMIT_EXCEEDED', message, nodeId: node.id };
}

function proceed({ visit, node, state }: Begun): Later<Step> {
  if ('error' in state) return { kind: 'error', error: state.error };
  const step = faultless(visit.nodeId, () => node.type.proceed(visit, state.node));
  return 'error' in step ? { kind: 'error', error: step.error } : step.value;
}

/** Keeps what the visit leaves behind and sets the next node. Gives how the scope ends, if it does. */
function endVisit(begun: Begun, step: Step): ScopeEnd | null {
  if (step.kind === 'suspended') return SUSPENDED;
  const { visit, node } = begun;
  const { scope, nodeId, run } = visit;
  const { frame } = scope;
  closeWait(run, visit.seq);
  if (frame.visit !== null) releaseBytes(run, visitBytes(frame.visit.node));
  const limit = node.type.holdsScopes ? LIMITS.joinedBytes : LIMITS.valueBytes;
  const outcome = keepResult(visit, step, limit);
  recordVisit(visit, node, outcome);
  frame.visit = null;
  if (outcome.kind === 'end') {
    frame.nodeId = null;
    return { kind: 'end', ending: outcome.ending };
  }
  frame.lastNodeId = nodeId;
  if (outcome.kind === 'error' && isStopping(scope)) return { kind: 'error', error: outcome.error };
  const target = route(node.node, outcome);
  if (target.kind === 'leave') return { kind: 'error', error: target.error };
  if (target.error) frame.error = withCause(target.error, frame.error);
  frame.nodeId = target.nodeId;
  return null;
}

/** What the run's state pays for a visit under way. */
function visitBytes(state: NodeState): number {
  return 'bytes' in state ? state.bytes : 0;
}

function recordVisit(
  { run, scope, nodeId, visit, seq, startedAt }: Visit<unknown>,
  { node }: CompiledNode,
  outcome: Outcome | null,
): void {
  record(run, {
    kind: 'visit',
    seq,
    nodeId,
    path: scope.path,
    visit,
    type: node.type,
    outcome: outcome === null ? null : outcomeName(outcome),
    startedAt,
    finishedAt: outcome === null ? null : run.effects.now(),
    error: outcome?.kind === 'error' ? outcome.error : null,
  });
}
