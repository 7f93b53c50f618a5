/**
 * The Effects port on a virtual clock.
 *
 * What it is: the simulator's binding of `workflows/effects.ts`: the same walker runs on it as on Temporal.
 * What it is not: a driver. Time moves, and mocks are delivered, in `simulation.ts`.
 *
 * Invariants:
 * 1. No effect settles within the call that asks for it; each settles in a step of its own, so that two which are due
 *    at the same moment settle in the order in which they were asked for.
 * 2. `yield()` takes no virtual time: how often a walk hands the thread back changes nothing that people see.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { RunRecord } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';
import type { CancellableEffects, CommandOrder, Effects, Wait } from '../workflows/effects.ts';
import { runAttempts } from './attempts.ts';
import { Cancellation } from './cancellation.ts';
import type { MockReplies } from './mock-replies.ts';
import { SimulatedFailure, cancelled } from './simulated-failure.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { Waits } from './waits.ts';

export interface WorldOptions {
  readonly clock: VirtualClock;
  readonly replies: MockReplies;
  /** Draws for the jitter of retries, from 0 up to 1. Default: no jitter. */
  readonly random?: () => number;
  /** After how many steps of its story a run goes on in a fresh history; 1: at every safe point. Default: never. */
  readonly rollover?: number;
}

/** What all scopes of a simulated run share. It outlives the run's histories. */
export class SimulatedWorld {
  readonly clock: VirtualClock;
  readonly waits: Waits;
  readonly replies: MockReplies;
  readonly records: RunRecord[] = [];
  readonly random: (() => number) | null;
  private readonly rollover: number;
  private stepsInHistory = 0;

  constructor(options: WorldOptions) {
    this.clock = options.clock;
    this.waits = new Waits(options.clock);
    this.replies = options.replies;
    this.random = options.random ?? null;
    this.rollover = options.rollover ?? Infinity;
  }

  /** The port of a run that begins, or goes on in a fresh history. */
  beginHistory(): Effects {
    this.stepsInHistory = 0;
    return new SimulatedScope(this, new Cancellation());
  }

  /**
   * Only what moves a run on counts as a step. A fresh history that opens its waits again and no more is never due,
   * or a run that rolls over at every safe point would do nothing else.
   */
  record(record: RunRecord): void {
    this.records.push(record);
    if (record.kind !== 'wait' && record.kind !== 'state') this.stepsInHistory++;
  }

  rolloverDue(): boolean {
    return this.stepsInHistory >= this.rollover;
  }
}

class SimulatedScope implements CancellableEffects {
  private readonly world: SimulatedWorld;
  private readonly cancellation: Cancellation;

  constructor(world: SimulatedWorld, cancellation: Cancellation) {
    this.world = world;
    this.cancellation = cancellation;
  }

  now(): number {
    return this.world.clock.now();
  }

  runCommand(order: CommandOrder): Promise<Json> {
    const { world, cancellation } = this;
    return runAttempts(order, {
      clock: world.clock,
      waits: world.waits,
      cancellation,
      reply: (of) => world.replies.next(of),
      random: world.random,
    });
  }

  wait(wait: Wait): Promise<void> {
    const { world, cancellation } = this;
    return world.waits.begin(wait, { cancellation, onCancel: () => cancelled(`"${wait.summary}"`, null) });
  }

  describe(rejection: unknown): ErrorInfo {
    if (rejection instanceof SimulatedFailure) return rejection.info;
    throw rejection;
  }

  yield(): Promise<void> {
    return this.world.waits.begin({ untilMs: this.now() });
  }

  rolloverDue(): boolean {
    return this.world.rolloverDue();
  }

  record(record: RunRecord): void {
    this.world.record(record);
  }

  openScope(): CancellableEffects {
    return new SimulatedScope(this.world, this.cancellation.child());
  }

  cancel(): void {
    this.cancellation.request();
  }

  run<T>(body: () => Promise<T>): Promise<T> {
    return body();
  }
}
