/**
 * The walk: from node to node through one scope, until it ends.
 *
 * Invariants:
 * 1. A safe point is the moment between two visits, and any moment of a wait: there a run can stop and go on elsewhere.
 * 2. Nodes that take no time are walked without a promise.
 * 3. A walk has fuel: after `LIMITS.fuelVisits` visits or `LIMITS.fuelSteps` expression steps without an effect it yields.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Meter } from '../definitions/expressions/index.ts';
import { LIMITS } from '../definitions/limits.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { Frame, NodeResult, VisitState } from './checkpoint.ts';
import type { CompiledNode } from './compile.ts';
import {
  bookBytes,
  cancelledError,
  checkedBytes,
  closeWait,
  errorOf,
  isStopping,
  type RunContext,
  record,
  type Visit,
} from './context.ts';
import { type Outcome, outcomeName, type ScopeEnd, SUSPENDED, type Step } from './outcome.ts';
import { route } from './routing.ts';

/** How many causes an error keeps: a loop that fails for ever must not grow the state. */
const CAUSES = 5;

/** Walks a scope from where its frame stands. */
export async function walkScope(run: RunContext, frame: Frame, path: string): Promise<ScopeEnd> {
  const fuel = new Fuel(run.meter);
  while (frame.nodeId !== null) {
    if (frame.visit === null) {
      if (isStopping(run)) return { kind: 'error', error: cancelledError(run, frame.nodeId) };
      if (run.effects.rolloverDue()) return SUSPENDED;
      if (fuel.isSpent()) {
        await run.effects.yield();
        fuel.refill();
        continue;
      }
    }
    const node = run.compiled.nodes.get(frame.nodeId) as CompiledNode;
    const begun = beginVisit(run, { frame, path, node });
    if (begun.kind === 'refused') return { kind: 'error', error: begun.error };
    let step = proceed(begun);
    if (step instanceof Promise) {
      try {
        step = await step;
      } catch (thrown) {
        step = { kind: 'error', error: errorOf(thrown, frame.nodeId) };
      }
      fuel.refill();
    }
    if (step.kind === 'suspended') return SUSPENDED;
    const end = endVisit(begun, step);
    if (end !== null) return end;
  }
  return { kind: 'ended' };
}

/** How far a walk may go without an effect. */
class Fuel {
  readonly #meter: Meter;
  #visits = 0;
  #stepsBefore: number;

  constructor(meter: Meter) {
    this.#meter = meter;
    this.#stepsBefore = meter.used;
  }

  /** Takes fuel for one visit. */
  isSpent(): boolean {
    this.#visits += 1;
    return this.#visits > LIMITS.fuelVisits || this.#meter.used - this.#stepsBefore > LIMITS.fuelSteps;
  }

  refill(): void {
    this.#visits = 0;
    this.#stepsBefore = this.#meter.used;
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
function beginVisit(run: RunContext, at: { frame: Frame; path: string; node: CompiledNode }): Begun | Refused {
  const { frame, path, node } = at;
  const nodeId = node.node.id;
  const before = Object.hasOwn(frame.visits, nodeId) ? (frame.visits[nodeId] as number) : 0;
  const shared = { run, frame, nodeId, label: node.label, config: node.config, path };
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

function proceed({ visit, node, state }: Begun): Step | Promise<Step> {
  if ('error' in state) return { kind: 'error', error: state.error };
  const step = faultless(visit.nodeId, () => node.type.proceed(visit, state.node));
  return 'error' in step ? { kind: 'error', error: step.error } : step.value;
}

function faultless<T>(nodeId: string, body: () => T): { readonly value: T } | { readonly error: ErrorInfo } {
  try {
    return { value: body() };
  } catch (error) {
    return { error: errorOf(error, nodeId) };
  }
}

/** Keeps what the visit leaves behind and sets the next node. Gives how the scope ends, if it does. */
function endVisit(begun: Begun, step: Outcome): ScopeEnd | null {
  const { visit, node } = begun;
  const { frame, nodeId, run } = visit;
  closeWait(run, visit.seq);
  const outcome = keep(visit, step);
  recordVisit(visit, node, outcome);
  frame.visit = null;
  if (outcome.kind === 'end') {
    frame.nodeId = null;
    return { kind: 'end', ending: outcome.ending };
  }
  frame.lastNodeId = nodeId;
  if (outcome.kind === 'error' && isStopping(run)) return { kind: 'error', error: outcome.error };
  const target = route(node.node, outcome);
  if (target.kind === 'leave') return { kind: 'error', error: target.error };
  if (target.error) frame.error = withCause(target.error, frame.error);
  frame.nodeId = target.nodeId;
  return null;
}

/** An error with the one before it as its cause, unless it has one of its own. */
function withCause(error: ErrorInfo, before: ErrorInfo | null): ErrorInfo {
  const cause = error.cause ?? before;
  return cause ? { ...error, cause: asCause(cause, CAUSES) } : error;
}

/** Details may be large; of a cause, type and message are enough. */
function asCause({ type, message, nodeId, cause }: ErrorInfo, depth: number): ErrorInfo {
  const rest = cause && depth > 1 ? { cause: asCause(cause, depth - 1) } : {};
  return { type, message, nodeId, ...rest };
}

/**
 * Puts the outcome under `nodes.<id>`. One that would make the state too large becomes an error, and an error loses its
 * details: what is left is small, so it may go past the limit.
 */
function keep(visit: Visit<unknown>, outcome: Outcome): Outcome {
  const { run, frame, nodeId } = visit;
  const removed = Object.hasOwn(frame.nodes, nodeId) ? resultBytes(frame.nodes[nodeId] as NodeResult) : 0;
  let kept = outcome;
  let result = resultOf(outcome);
  const booked = faultless(nodeId, () => {
    checkedBytes(`output of the node ${nodeId}`, result.output);
    bookBytes(run, resultBytes(result), removed);
  });
  if ('error' in booked) {
    kept = { kind: 'error', error: outcome.kind === 'error' ? asCause(outcome.error, CAUSES) : booked.error };
    result = resultOf(kept);
    run.checkpoint.bytes += resultBytes(result) - removed;
  }
  frame.nodes = { ...frame.nodes, [nodeId]: result };
  return kept;
}

function resultOf(outcome: Outcome): NodeResult {
  return {
    output: outcome.kind === 'success' || outcome.kind === 'named' ? outcome.output : null,
    outcome: outcomeName(outcome),
    error: outcome.kind === 'error' ? outcome.error : null,
  };
}

/** What the run's state pays for a result. */
function resultBytes({ output, error }: NodeResult): number {
  return jsonBytes(output) + (error === null ? 0 : jsonBytes(error as unknown as Json));
}

function recordVisit(
  { run, nodeId, path, visit, seq, startedAt }: Visit<unknown>,
  { node }: CompiledNode,
  outcome: Outcome | null,
): void {
  record(run, {
    kind: 'visit',
    seq,
    nodeId,
    path,
    visit,
    type: node.type,
    outcome: outcome === null ? null : outcomeName(outcome),
    startedAt,
    finishedAt: outcome === null ? null : run.effects.now(),
    error: outcome?.kind === 'error' ? outcome.error : null,
  });
}
