/**
 * The reference walker: what `docs/language.md` says of a run, in the plainest way.
 *
 * What it is: recursive generators over a virtual clock with a plain event queue, slow and easy to read.
 * What it is not: the walker. It has no fresh histories, no limits of size and no port, and shares no code with
 * `workflows/` but the expression engine.
 *
 * Invariants:
 * 1. It runs what `grammar.ts` makes, not the whole language: durations are milliseconds, child runs are mocked.
 * 2. Where it and the walker differ, the language text decides which is wrong.
 */
import type { Definition } from '../../definitions/types.ts';
import type { Mocks } from '../../testing/mocks.ts';
import { ms, takeBack } from './commands.ts';
import { forEach, parallel } from './fan.ts';
import { Fibers, type Steps } from './fibers.ts';
import { decide, deliver } from './outside.ts';
import { action, approval, child, delay, emit, event } from './pausing-nodes.ts';
import { assign, choice, condition, end, scoped } from './plain-nodes.ts';
import { walk } from './walk.ts';
import {
  type Ending,
  failed,
  fault,
  guarded,
  isFailed,
  isStopping,
  namesOf,
  outputOf,
  type Scope,
  type ScopeEnd,
  setVar,
  template,
  type World,
} from './world.ts';

export const START_MS = Date.parse('2027-01-01T00:00:00Z');
/** How often a handler that is not there is asked for before a simulation gives up. */
const MOST_ASKED = 10_000;

/** Walks a definition to its end, or to where it waits for ever. */
export function reference(definition: Definition, mocks: Mocks): World {
  const world = worldOf(definition, mocks);
  const { fibers } = world;
  for (const { after = '0ms', nodeId, outcome, by } of mocks.decisions ?? []) {
    fibers.at(START_MS + ms(after), () => {
      decide(world, { nodeId, outcome, by: by.id, at: fibers.now });
    });
  }
  for (const [index, { after = '0ms', type, data = null }] of (mocks.events ?? []).entries()) {
    fibers.at(START_MS + ms(after), () => {
      const time = new Date(fibers.now).toISOString();
      deliver(world, { id: `event-${index + 1}`, type, source: 'mock', time, data });
    });
  }
  for (const { after = '0ms' } of mocks.cancels ?? []) {
    fibers.at(START_MS + ms(after), () => {
      if (!isUndoing(world)) world.cancelled = true;
    });
  }
  fibers.spawn(life(world));
  fibers.run(() => world.ending !== null || world.commands.some(({ attempts }) => attempts >= MOST_ASKED));
  return world;
}

const TYPES: World['types'] = {
  action,
  approval,
  assign,
  condition,
  delay,
  emit,
  end,
  event,
  forEach,
  parallel,
  scope: scoped,
  switch: choice,
  workflow: child,
};

function worldOf(definition: Definition, mocks: Mocks): World {
  return {
    id: `${definition.id}/simulation`,
    definition,
    mocks,
    types: TYPES,
    fibers: new Fibers(START_MS),
    startedAt: START_MS,
    trace: [],
    commands: [],
    emitted: [],
    undo: [],
    waiting: new Map(),
    tasks: [],
    early: [],
    inbox: [],
    eventWaits: [],
    replies: new Map(),
    lastUse: new Map(),
    cancelled: false,
    ending: null,
    top: null,
  };
}

const undoing = new WeakSet<World>();
const isUndoing = (world: World): boolean => undoing.has(world);

function* life(world: World): Steps<void> {
  const { definition } = world;
  const top: Scope = {
    parent: null,
    nodes: definition.nodes,
    path: '',
    shared: [],
    locals: {},
    seen: {},
    own: {},
    results: {},
    visits: new Map(),
    error: null,
    last: null,
    limitAt: START_MS + ms(definition.timeout),
    isStopped: () => world.cancelled,
  };
  world.top = top;
  for (const [name, text] of Object.entries(definition.vars ?? {})) {
    setVar(top, name, template(namesOf(world, top), text));
  }
  const ending = endingOf(world, top, yield* walk(world, top));
  undoing.add(world);
  if (ending.state !== 'completed') yield* takeBack(world, () => true);
  const notUndone = world.undo.length > 0 && ending.state !== 'completed';
  world.ending = notUndone
    ? { state: 'failed', output: null, error: ending.error ?? fault('CANCELLED', null) }
    : ending;
}

function endingOf(world: World, top: Scope, end: ScopeEnd): Ending {
  if (end.kind === 'end') return end.ending;
  const gone = (state: 'failed' | 'cancelled', type: string, nodeId: string | null): Ending => {
    return { state, output: null, error: fault(type, nodeId) };
  };
  const at = end.kind === 'error' ? end.error.nodeId : top.last;
  if (world.cancelled) return gone('cancelled', 'CANCELLED', at);
  const isLate = end.kind === 'error' ? isStopping(world, top) : world.fibers.now > top.limitAt;
  if (isLate) return gone('failed', 'RUN_TIMEOUT', at);
  const result =
    end.kind === 'error'
      ? failed(end.error)
      : guarded(null, () => ({ is: outputOf(world, top, world.definition.output) }));
  if (isFailed(result)) return gone('failed', result.error.type, result.error.nodeId);
  return { state: 'completed', output: result.is, error: null };
}
