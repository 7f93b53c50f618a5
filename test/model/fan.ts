/** Branches and items of the reference walker: how they begin, and what their join makes of how they end. */
import type { ForEachNode, Join, Json, Node, ParallelNode } from '../../definitions/types.ts';
import { takeBack } from './commands.ts';
import type { Steps } from './fibers.ts';
import {
  expression,
  failed,
  type Fault,
  fault,
  guarded,
  isFailed,
  isIn,
  isStopping,
  namesOf,
  type Outcome,
  outputOf,
  type Scope,
  use,
  varsOf,
  type Visit,
  type World,
} from './world.ts';
import { walk } from './walk.ts';

interface PartEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly output: Json;
  readonly error: Fault | null;
}

interface Part {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly output: Json | undefined;
  readonly optional: boolean;
  readonly path: string;
  readonly locals: Scope['locals'];
}

interface Fan {
  readonly parts: readonly Part[];
  readonly ends: (PartEnd | undefined)[];
  next: number;
  open: number;
  /** `winner`: index of the part that the join chose. */
  verdict: Exclude<Outcome, { kind: 'success' }> | { readonly kind: 'joined'; readonly winner: number | null } | null;
}

/** What a holder adds to paths: nothing at its first visit. */
const again = ({ number }: Visit): string => (number === 1 ? '' : `.${number}`);

export function* parallel(world: World, visit: Visit): Steps<Outcome> {
  const { config, id } = visit.node as ParallelNode;
  const { join = 'all' } = config;
  const parts = config.branches.map(({ id: name, nodes, output, optional = false }): Part => {
    const path = `${visit.scope.path}${name}${again(visit)}/`;
    return { name, nodes, output, optional, path, locals: {} };
  });
  const fan: Fan = { parts, ends: [], next: 0, open: 0, verdict: null };
  const end = yield* walkFan(world, visit, fan);
  if (end.kind !== 'joined') return end;
  const shown = parts.map(({ name }, index) => [name, shownEnd(join, fan.ends[index])] as const);
  const output = Object.fromEntries(shown.filter((_, index) => end.winner === null || index === end.winner));
  const broken = parts.findIndex(({ optional }, index) => optional && fan.ends[index]?.status === 'failed');
  const error = givesEnds(join) ? null : fan.ends[broken]?.error;
  return { kind: 'success', output, ...(error ? { error: { ...error, nodeId: id } } : {}) };
}

export function* forEach(world: World, visit: Visit): Steps<Outcome> {
  const { config, id } = visit.node as ForEachNode;
  const { nodes, output, as = 'item', join = 'all' } = config;
  const items = guarded(id, () => expression(namesOf(world, visit.scope), config.items));
  if (isFailed(items)) return items;
  if (!Array.isArray(items)) return failed(fault('EXPRESSION_ERROR', id));
  const parts = items.map((item: Json, index): Part => {
    const path = `${visit.scope.path}${id}${again(visit)}[${index}]/`;
    return { name: String(index), nodes, output, optional: false, path, locals: { [as]: item, index } };
  });
  const fan: Fan = { parts, ends: [], next: 0, open: 0, verdict: null };
  const end = yield* walkFan(world, visit, fan);
  if (end.kind !== 'joined') return end;
  const all = parts.map((_, index) => shownEnd(join, fan.ends[index]));
  if (join !== 'any' && join !== 'first') return { kind: 'success', output: all };
  return { kind: 'success', output: end.winner === null ? [] : [all[end.winner] as Json] };
}

function givesEnds(join: Join): boolean {
  return join === 'settled' || typeof join === 'object';
}

function shownEnd(join: Join, end: PartEnd | undefined): Json {
  if (!givesEnds(join)) return end?.output ?? null;
  return (end ?? { status: 'cancelled', output: null, error: null }) as unknown as Json;
}

function* walkFan(world: World, visit: Visit, fan: Fan): Steps<NonNullable<Fan['verdict']>> {
  const { node, scope } = visit;
  const { join = 'all', ...config } = (node as ParallelNode | ForEachNode).config;
  const abreast = Math.min(200, 'items' in config ? (config.concurrency ?? 10) : Infinity);
  fan.verdict = onNone(fan, join, node.id);
  const mayBegin = (): boolean =>
    fan.next < fan.parts.length && fan.open < abreast && fan.verdict === null && !isStopping(world, scope);
  for (;;) {
    while (mayBegin()) {
      fan.open += 1;
      world.fibers.spawn(walkPart(world, visit, { fan, index: fan.next++ }));
    }
    if (fan.open === 0) break;
    yield { until: null, ready: () => fan.open === 0 || mayBegin() };
  }
  yield* takeBack(world, (done) => done.lost && isIn(done.visit.scope, scope));
  return fan.verdict ?? failed(fault('CANCELLED', node.id));
}

function* walkPart(world: World, visit: Visit, { fan, index }: { fan: Fan; index: number }): Steps<void> {
  const { shared = [], join = 'all' } = (visit.node as ParallelNode | ForEachNode).config;
  const part = fan.parts[index] as Part;
  const scope: Scope = {
    parent: visit.scope,
    nodes: part.nodes,
    path: part.path,
    shared,
    locals: part.locals,
    seen: varsOf(visit.scope),
    own: {},
    results: {},
    visits: new Map(),
    error: null,
    last: null,
    limitAt: Infinity,
    isStopped: () => fan.verdict !== null,
  };
  const end = yield* walk(world, scope);
  fan.open -= 1;
  use(world, `join ${visit.id}`, scope);
  if (end.kind === 'end') {
    fan.verdict ??= end;
    return;
  }
  fan.ends[index] = partEnd(world, scope, { end, output: part.output });
  if (!isStopping(world, scope)) fan.verdict = onEnd(fan, join, { index, nodeId: visit.node.id });
}

type Closed = { readonly kind: 'ended' } | Extract<Outcome, { kind: 'error' }>;

function partEnd(world: World, scope: Scope, { end, output }: { end: Closed; output: Json | undefined }): PartEnd {
  if (end.kind === 'ended' && isStopping(world, scope)) {
    return { status: 'cancelled', output: null, error: fault('CANCELLED', scope.last ?? '') };
  }
  if (end.kind === 'error') {
    const lost = end.error.type === 'CANCELLED' && isStopping(world, scope);
    return { status: lost ? 'cancelled' : 'failed', output: null, error: end.error };
  }
  const value = guarded(scope.last, () => ({ is: outputOf(world, scope, output) }));
  if (isFailed(value)) return { status: 'failed', output: null, error: value.error };
  return { status: 'completed', output: value.is, error: null };
}

const successesNeeded = (join: Join): number | null =>
  join === 'any' ? 1 : typeof join === 'object' ? join.count : null;

function onNone({ parts }: Fan, join: Join, nodeId: string): Fan['verdict'] {
  if ((successesNeeded(join) ?? 0) > parts.length) return failed(fault('COUNT_UNREACHABLE', nodeId));
  return parts.length === 0 ? { kind: 'joined', winner: null } : null;
}

/** What the join makes of one more part that has ended. */
function onEnd(fan: Fan, join: Join, { index, nodeId }: { index: number; nodeId: string }): Fan['verdict'] {
  const { parts, ends } = fan;
  const end = ends[index] as PartEnd;
  const ended = ends.filter((one) => one !== undefined);
  const completed = ended.filter(({ status }) => status === 'completed').length;
  const passedOver = end.error !== null && parts[index]?.optional === true;
  if (join === 'first' && end.error && !passedOver) return failed(end.error);
  if (join === 'first' && !end.error) return { kind: 'joined', winner: index };
  if (join === 'all' && end.error && !parts[index]?.optional) return failed(end.error);
  const needed = successesNeeded(join);
  if (needed !== null && completed >= needed) return { kind: 'joined', winner: join === 'any' ? index : null };
  if (needed !== null && completed + (parts.length - ended.length) < needed) {
    return failed(fault('COUNT_UNREACHABLE', nodeId));
  }
  return ended.length === parts.length ? { kind: 'joined', winner: null } : null;
}
