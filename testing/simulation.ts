/**
 * The drive of a simulation: lets runs go on as far as they can, then moves the clock to what happens next.
 *
 * What it is: the loop around the walker, with the mocks' decisions, events and cancels as what comes from outside.
 * What it is not: the door (`simulate.ts`), or a rule about runs.
 *
 * Invariants:
 * 1. Time moves only when no promise of a run can go on by itself.
 * 2. It ends when all runs are closed, or when nothing can happen any more; it never hangs on a wait that no mock ends,
 *    nor in a loop that nothing ends (`visit-limit.ts`).
 */
import { isoTime } from '../definitions/timestamps.ts';
import type { CancelRequest } from '../workflows/checkpoint.ts';
import type { Run } from '../workflows/run.ts';
import type { RunStart } from '../workflows/start.ts';
import type { CloudEvent } from '../definitions/types.ts';
import type { MockCancel, MockDecision, MockEvent, MockTask, PreparedMocks } from './mocks-schema.ts';
import type { SimulatedWorld } from './simulated-effects.ts';
import type { SimulatedRun } from './simulated-run.ts';
import { nextTurn } from './turn.ts';

/** Walks a run, and those that it begins, to their end or to where they wait for ever. */
export async function drive(start: RunStart, world: SimulatedWorld, mocks: PreparedMocks): Promise<SimulatedRun> {
  scheduleMocks(world, mocks, () => run.current);
  world.events.deliverTo((runId, event, at) => {
    world.runs.find(runId)?.current.receiveEvent(event, { at });
    world.waits.notify();
  });
  const { run } = world.runs.begin(start, world);
  for (;;) {
    await nextTurn();
    if (!world.runs.check()) return run;
    world.limit.check(world.clock.now());
    if (world.waits.notify()) continue;
    if (world.replies.hopeless || !world.clock.advance()) return run;
  }
}

/**
 * They are scheduled before the run begins, so that what comes from outside at the very moment of a timer is there
 * when the run wakes from it.
 */
function scheduleMocks(world: SimulatedWorld, mocks: PreparedMocks, run: () => Run): void {
  const startMs = world.clock.now();
  for (const mock of mocks.decisions) {
    world.clock.schedule(startMs + mock.after, () => {
      world.runs.deliver(asReceived(mock, world.clock.now()));
      world.waits.notify();
    });
  }
  for (const mock of mocks.tasks) {
    world.clock.schedule(startMs + mock.after, () => {
      world.runs.deliverRequest(asReceived(mock, world.clock.now()));
      world.waits.notify();
    });
  }
  for (const [index, mock] of mocks.events.entries()) {
    world.clock.schedule(startMs + mock.after, () => {
      world.events.publish(toEvent(mock, index, world.clock.now()), world.clock.now());
    });
  }
  for (const mock of mocks.cancels) {
    world.clock.schedule(startMs + mock.after, () => {
      run().cancel(toCancelRequest(mock, world.clock.now()));
      world.waits.notify();
    });
  }
}

/** What people say comes with the time at which its door received it. */
function asReceived<Mock extends MockDecision | MockTask>({ after: _after, ...said }: Mock, nowMs: number) {
  return { ...said, at: isoTime(nowMs) };
}

function toEvent({ type, data = null, id, subject }: MockEvent, index: number, nowMs: number): CloudEvent {
  const about = subject === undefined ? {} : { subject };
  return { id: id ?? `event-${index + 1}`, type, source: 'mock', ...about, time: isoTime(nowMs), data };
}

function toCancelRequest({ reason = 'cancelled by a mock', by }: MockCancel, at: number): CancelRequest {
  return { reason, by: by ?? null, at };
}
