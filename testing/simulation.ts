/**
 * The drive of a simulation: lets a run go on as far as it can, then moves the clock to what happens next.
 *
 * What it is: the loop around the walker, with the mocks' decisions and cancels as what comes from outside.
 * What it is not: the door (`simulate.ts`), or a rule about runs.
 *
 * Invariants:
 * 1. Time moves only when no promise of the run can go on by itself.
 * 2. A run that goes on in a fresh history does so from its checkpoint as JSON text, at the same moment.
 * 3. It ends when the run closes, or when nothing can happen any more; it never hangs on a wait that no mock ends.
 */
import { isoTime } from '../definitions/timestamps.ts';
import type { CancelRequest, Checkpoint } from '../workflows/checkpoint.ts';
import { createRun, type Run, type RunEnd, type RunView } from '../workflows/run.ts';
import type { RunStart } from '../workflows/start.ts';
import type { MockCancel, MockDecision, PreparedMocks } from './mocks-schema.ts';
import type { SimulatedWorld } from './simulated-effects.ts';
import { nextTurn } from './turn.ts';

/** Walks a run to its end, or to where it waits for ever. Gives how it stands then. */
export async function drive(start: RunStart, world: SimulatedWorld, mocks: PreparedMocks): Promise<RunView> {
  let run = createRun(start, world.beginHistory());
  scheduleMocks(world, mocks, () => run);
  for (;;) {
    const end = await walkOn(run, world);
    if (end === null || end.kind === 'closed') return run.view();
    const checkpoint = JSON.parse(JSON.stringify(end.checkpoint)) as Checkpoint;
    run = createRun({ ...start, checkpoint }, world.beginHistory());
  }
}

/** Walks until the run ends or goes over into a fresh history; `null`: it waits, and nothing is to come. */
async function walkOn(run: Run, world: SimulatedWorld): Promise<RunEnd | null> {
  const walk = watch(run.walk());
  for (;;) {
    await nextTurn();
    if (walk.settled !== null) return walk.settled();
    if (world.replies.hopeless || !world.clock.advance()) return null;
  }
}

/** A promise that can be asked, without waiting, whether it has settled and with what. */
function watch<T>(promise: Promise<T>): { readonly settled: (() => T) | null } {
  const watched: { settled: (() => T) | null } = { settled: null };
  promise.then(
    (value) => {
      watched.settled = () => value;
    },
    (fault: unknown) => {
      watched.settled = () => {
        throw fault;
      };
    },
  );
  return watched;
}

/**
 * They are scheduled before the run begins, so that what comes from outside at the very moment of a timer is there
 * when the run wakes from it. Events wait for nobody yet: no node of this release takes them.
 */
function scheduleMocks(world: SimulatedWorld, mocks: PreparedMocks, run: () => Run): void {
  const startMs = world.clock.now();
  for (const mock of mocks.decisions) {
    world.clock.schedule(startMs + mock.after, () => {
      run().receiveDecision(toDecision(mock, world.clock.now()));
      world.waits.notify();
    });
  }
  for (const mock of mocks.cancels) {
    world.clock.schedule(startMs + mock.after, () => {
      run().cancel(toCancelRequest(mock, world.clock.now()));
      world.waits.notify();
    });
  }
}

/** A decision comes with the time at which its door received it. */
function toDecision(
  { after: _after, ...decision }: MockDecision,
  nowMs: number,
): Omit<MockDecision, 'after'> & { readonly at: string } {
  return { ...decision, at: isoTime(nowMs) };
}

function toCancelRequest({ reason = 'cancelled by a mock', by }: MockCancel, at: number): CancelRequest {
  return { reason, by: by ?? null, at };
}
