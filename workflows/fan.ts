/**
 * A fan: scopes that are walked side by side, a sliding window of them, until their join has come to a verdict.
 *
 * What it is: what `parallel` and `forEach` share. What it is not: the rules of joins; these are in `joins.ts`.
 *
 * Invariants:
 * 1. Parts begin in the order of their index; never more than `concurrency` are open, and none begins after the verdict.
 * 2. The verdict falls when a part ends, in the order in which parts end, which is the same on replay.
 * 3. The fan is over when every part that began has ended: losers are asked to cancel, and awaited.
 */
import type { CompiledTemplate } from '../definitions/expressions/index.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import type { Frame } from './checkpoint.ts';
import { bookBytes, checkedBytes, faultless, isRolloverDue, releaseBytes } from './context.ts';
import type { CancellableEffects } from './effects.ts';
import type { Fan, FanPart, PartEnd, Verdict } from './fan-state.ts';
import { framesOf } from './frames.ts';
import { type Parts, tally, verdictOn, verdictOnNone } from './joins.ts';
import { type Later, whenThere } from './later.ts';
import { type ScopeEnd, SUSPENDED } from './outcome.ts';
import { leaveScope } from './results.ts';
import { cancelledError, freshFrame, isStopping, outputOf, type Scope, type Visit } from './scope.ts';
import { undoThose } from './undo.ts';
import { walkScope } from './walk.ts';

export interface FanParts extends Parts {
  readonly concurrency: number;
  /** The scope of a part, but for what every part has alike. */
  scope(index: number): Pick<Scope, 'nodes' | 'path' | 'shared' | 'locals'>;
  output(index: number): CompiledTemplate | null;
}

/** No part has begun. */
export function freshFan(): Fan {
  return { next: 0, open: [], ends: [], ended: 0, completed: 0, verdict: null };
}

/** Walks the parts until the join has a verdict and every part that began has ended. */
export function walkFan(visit: Visit<unknown>, fan: Fan, parts: FanParts): Later<Verdict | typeof SUSPENDED> {
  fan.verdict ??= verdictOnNone(parts);
  const walk = new FanWalk(visit, fan, parts);
  return whenThere(walk.toEnd(), () => {
    if (!isOver(visit, fan)) return SUSPENDED;
    return whenThere(undoLost(visit), (undone) => (undone ? leaveFan(visit, fan, parts) : SUSPENDED));
  });
}

function isOver({ scope }: Visit<unknown>, fan: Fan): boolean {
  return fan.open.length === 0 && (fan.verdict !== null || isStopping(scope));
}

/** What was under way in parts that lost, and succeeded all the same. */
function undoLost({ run, scope }: Visit<unknown>): Later<boolean> {
  return undoThose(run, (entry) => entry.lost && entry.path.startsWith(scope.path));
}

function leaveFan({ run, scope, nodeId }: Visit<unknown>, fan: Fan, parts: FanParts): Verdict {
  for (const end of fan.ends) if (end) releaseBytes(run, endBytes(end));
  return fan.verdict ?? { kind: 'error', error: { ...cancelledError(scope, nodeId), details: tally(fan, parts) } };
}

/** One stretch of a fan, in one history. */
class FanWalk {
  readonly #visit: Visit<unknown>;
  readonly #fan: Fan;
  readonly #parts: FanParts;
  readonly #effects: CancellableEffects;
  /** Parts that take time. */
  #walking = 0;
  #finish: () => void = () => undefined;
  #fail: (fault: unknown) => void = () => undefined;

  constructor(visit: Visit<unknown>, fan: Fan, parts: FanParts) {
    this.#visit = visit;
    this.#fan = fan;
    this.#parts = parts;
    this.#effects = visit.scope.effects.openScope();
  }

  /** Walks until no part walks any more: they have ended, or go on in a fresh history. */
  toEnd(): Later<void> {
    if (this.#fan.verdict !== null) this.#effects.cancel();
    for (const part of [...this.#fan.open].sort(byTurn)) this.#walk(part, this.#parts.scope(part.index));
    this.#beginMore();
    if (this.#walking === 0) return;
    return new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  #beginMore(): void {
    const { run, scope } = this.#visit;
    const { total, concurrency } = this.#parts;
    const fan = this.#fan;
    while (fan.next < total && fan.open.length < concurrency) {
      if (fan.verdict !== null || isStopping(scope) || isRolloverDue(run)) break;
      const index = fan.next++;
      const own = this.#parts.scope(index);
      const part = { index, frame: freshFrame(own.nodes) };
      fan.open.push(part);
      this.#walk(part, own);
    }
  }

  #walk(part: FanPart, own: ReturnType<FanParts['scope']>): void {
    const { run, scope: parent } = this.#visit;
    const fan = this.#fan;
    const scope: Scope = {
      ...own,
      run,
      parent,
      frame: part.frame,
      effects: this.#effects,
      stopReason: () => (fan.verdict === null ? null : 'it was no longer needed'),
    };
    const walk = walkScope(scope);
    if (!(walk instanceof Promise)) return this.#ended(part, scope, walk);
    this.#walking += 1;
    walk
      .then((end) => {
        this.#walking -= 1;
        this.#ended(part, scope, end);
        this.#beginMore();
        if (this.#walking === 0) this.#finish();
      })
      .catch((fault: unknown) => this.#fail(fault));
  }

  #ended(part: FanPart, scope: Scope, end: ScopeEnd): void {
    this.#fan.open = this.#fan.open.filter((open) => open !== part);
    if (end.kind === 'suspended') this.#fan.open.push(part);
    else this.#close(part, scope, end);
  }

  #close(part: FanPart, scope: Scope, end: Exclude<ScopeEnd, typeof SUSPENDED>): void {
    const fan = this.#fan;
    if (end.kind === 'end') {
      leaveScope(scope);
      fan.verdict ??= { kind: 'end', ending: end.ending };
    } else {
      const ended = closePart(scope, end, this.#parts.output(part.index));
      while (fan.ends.length < part.index) fan.ends.push(null);
      fan.ends[part.index] = ended;
      fan.ended += 1;
      if (ended.status === 'completed') fan.completed += 1;
      if (isStopping(scope)) return;
      fan.verdict = verdictOn(part.index, fan, this.#parts);
    }
    if (fan.verdict !== null) this.#effects.cancel();
  }
}

type Closed = Extract<ScopeEnd, { kind: 'ended' | 'error' }>;

/** How a part ended, booked in place of what its scope held. */
function closePart(scope: Scope, end: Closed, output: CompiledTemplate | null): PartEnd {
  const found = partEnd(scope, end, output);
  leaveScope(scope);
  const booked = faultless(scope.frame.lastNodeId, () => bookBytes(scope.run, endBytes(found), 0));
  if (!('error' in booked)) return found;
  const failed: PartEnd = { status: 'failed', error: { ...booked.error, path: scope.path } };
  scope.run.checkpoint.bytes += endBytes(failed);
  return failed;
}

function partEnd(scope: Scope, end: Closed, template: CompiledTemplate | null): PartEnd {
  if (end.kind === 'ended' && isStopping(scope)) {
    const { lastNodeId } = scope.frame;
    return { status: 'cancelled', error: { ...cancelledError(scope, lastNodeId ?? ''), path: scope.path } };
  }
  if (end.kind === 'error') {
    const lost = end.error.type === 'CANCELLED' && isStopping(scope);
    const error = { ...end.error, path: end.error.path ?? scope.path };
    return { status: lost ? 'cancelled' : 'failed', error };
  }
  const found = faultless(scope.frame.lastNodeId, () => {
    const output = outputOf(scope, template);
    checkedBytes(`output of ${scope.path.slice(0, -1)}`, output);
    return output;
  });
  if ('error' in found) return { status: 'failed', error: { ...found.error, path: scope.path } };
  return { status: 'completed', output: found.value };
}

function endBytes(end: PartEnd): number {
  return jsonBytes(end as unknown as Json);
}

/** Those between two visits go on first, in the order in which they stopped; then waits, in the order in which they began. */
function byTurn(one: FanPart, other: FanPart): number {
  return turnOf(one.frame) - turnOf(other.frame);
}

function turnOf(frame: Frame): number {
  if (frame.visit === null) return 0;
  const inner = framesOf(frame.visit);
  return inner.length === 0 ? frame.visit.seq : Math.min(...inner.map(turnOf));
}
