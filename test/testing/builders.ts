/** Builders shared by the tests of the simulator. */
import type { Effects } from '../../workflows/effects.ts';
import type { CommandOrder } from '../../workflows/orders.ts';
import { MockReplies } from '../../testing/mock-replies.ts';
import { type Mocks, prepareMocks } from '../../testing/mocks.ts';
import { SimulatedWorld } from '../../testing/simulated-effects.ts';
import { nextTurn } from '../../testing/turn.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';

export const START = Date.parse('2027-01-01T00:00:00Z');

export interface TestWorld {
  readonly world: SimulatedWorld;
  readonly effects: Effects;
  /** Milliseconds since the start. */
  elapsed(): number;
  /** Lets everything happen that will happen by itself. */
  settle(): Promise<void>;
}

/** The Effects port on a clock that stands at {@link START}. */
export function testWorld(mocks: Mocks['commands'] = {}, random?: () => number): TestWorld {
  const clock = new VirtualClock(START);
  const replies = new MockReplies(prepareMocks({ commands: mocks }).commands);
  const world = new SimulatedWorld({ clock, replies, ...(random ? { random } : {}) });
  return {
    world,
    effects: world.beginHistory(),
    elapsed: () => clock.now() - START,
    async settle() {
      do await nextTurn();
      while (clock.advance());
    },
  };
}

/** An order for the command `work`, with what a test says of it. */
export function order(
  fields: Partial<Omit<CommandOrder, 'retry'>> & { retry?: Partial<CommandOrder['retry']> } = {},
): CommandOrder {
  const { retry, ...rest } = fields;
  return {
    commandId: 'demo/run/work/1',
    nodeId: 'work',
    summary: 'work',
    type: 'work',
    version: 1,
    payload: {},
    timeoutMs: 60_000,
    deadlineMs: null,
    heartbeatMs: null,
    taskQueue: null,
    priority: null,
    local: false,
    undoes: null,
    secrets: [],
    rollback: false,
    awaitWhenCancelled: false,
    ...rest,
    retry: {
      maxAttempts: 3,
      initialIntervalMs: 1000,
      backoffCoefficient: 2,
      maxIntervalMs: 60_000,
      jitter: 0.2,
      nonRetryable: [],
      ...retry,
    },
  };
}

/** How an effect ended, and when. */
export interface Ended {
  output?: unknown;
  error?: { type: string; message: string; nodeId: string | null; details?: unknown; cause?: unknown };
  /** Milliseconds since the start. */
  at: number;
}

/** Watches an effect; what it gives is filled in once the effect has ended. */
export function watch(test: TestWorld, effect: Promise<unknown>): { end: Ended | null } {
  const watched: { end: Ended | null } = { end: null };
  effect.then(
    (output) => {
      watched.end = { output, at: test.elapsed() };
    },
    (rejection: unknown) => {
      watched.end = { error: test.effects.describe(rejection), at: test.elapsed() };
    },
  );
  return watched;
}

/** Runs one effect to its end. */
export async function endOf(test: TestWorld, effect: Promise<unknown>): Promise<Ended> {
  const watched = watch(test, effect);
  await test.settle();
  if (watched.end === null) throw new Error('the effect has not ended');
  return watched.end;
}
