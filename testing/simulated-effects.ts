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
import type { TimeAnswer, TimeQuestion } from '../definitions/time/question.ts';
import type { RunRecord } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';
import type { WaitAnswer } from '../definitions/event-waits.ts';
import type { BegunChild, CancellableEffects, Effects, Wait } from '../workflows/effects.ts';
import type { ChildOrder, CommandOrder, EmitOrder, Notice, WaitOrder } from '../workflows/orders.ts';
import { runAttempts } from './attempts.ts';
import { Cancellation } from './cancellation.ts';
import type { MockReplies } from './mock-replies.ts';
import { beginChild } from './simulated-child.ts';
import { SimulatedFailure, cancelled } from './simulated-failure.ts';
import { SimulatedCalendars } from './simulated-calendars.ts';
import { SimulatedEvents } from './simulated-events.ts';
import { SimulatedRuns } from './simulated-runs.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { VisitLimit } from './visit-limit.ts';
import { Waits } from './waits.ts';

export interface WorldOptions {
  readonly clock: VirtualClock;
  readonly replies: MockReplies;
  /** Draws for the jitter of retries, from 0 up to 1. Default: no jitter. */
  readonly random?: () => number;
  /** After how many steps of its story a run goes on in a fresh history; 1: at every safe point. Default: never. */
  readonly rollover?: number;
  /** What it may begin, and the runs that there are. Default: it can begin none. */
  readonly runs?: SimulatedRuns;
  /** Default: there are none. */
  readonly calendars?: SimulatedCalendars;
  /** Default: none yet. */
  readonly events?: SimulatedEvents;
  /** Default: the default number of visits. */
  readonly limit?: VisitLimit;
}

/** What all scopes of a simulated run share. It outlives the run's histories. */
export class SimulatedWorld {
  readonly clock: VirtualClock;
  readonly waits: Waits;
  readonly replies: MockReplies;
  readonly records: RunRecord[] = [];
  readonly random: (() => number) | null;
  readonly runs: SimulatedRuns;
  readonly calendars: SimulatedCalendars;
  readonly events: SimulatedEvents;
  readonly limit: VisitLimit;
  readonly #rollover: number;
  #stepsInHistory = 0;

  constructor(options: WorldOptions, waits = new Waits(options.clock)) {
    this.clock = options.clock;
    this.waits = waits;
    this.replies = options.replies;
    this.random = options.random ?? null;
    this.#rollover = options.rollover ?? Infinity;
    this.runs = options.runs ?? new SimulatedRuns();
    this.calendars = options.calendars ?? new SimulatedCalendars();
    this.events = options.events ?? new SimulatedEvents();
    this.limit = options.limit ?? new VisitLimit();
  }

  /** That of a run which this one begins: the same clock and mocks, a story of its own. */
  ofChild(): SimulatedWorld {
    const { clock, replies, random, runs, calendars, events, limit } = this;
    const shared = { clock, replies, rollover: this.#rollover, runs, calendars, events, limit };
    return new SimulatedWorld({ ...shared, ...(random ? { random } : {}) }, this.waits);
  }

  /** The port of a run that begins, or goes on in a fresh history. */
  beginHistory(): Effects {
    this.#stepsInHistory = 0;
    return new SimulatedScope(this, new Cancellation());
  }

  /**
   * Only what moves a run on counts as a step. A fresh history that opens its waits again and no more is never due,
   * or a run that rolls over at every safe point would do nothing else.
   */
  record(record: RunRecord): void {
    this.records.push(record);
    this.limit.count(record);
    if (record.kind !== 'wait' && record.kind !== 'state') this.#stepsInHistory++;
  }

  rolloverDue(): 'no' | 'soon' {
    return this.#stepsInHistory >= this.#rollover ? 'soon' : 'no';
  }
}

class SimulatedScope implements CancellableEffects {
  readonly world: SimulatedWorld;
  readonly cancellation: Cancellation;

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

  startChild(order: ChildOrder): Promise<BegunChild> {
    return beginChild(order, this);
  }

  async resolveTime(question: TimeQuestion): Promise<TimeAnswer> {
    await this.wait({ untilMs: this.now(), summary: 'time' });
    return await this.world.calendars.answer(question);
  }

  async registerWait({ summary, ...wait }: WaitOrder): Promise<WaitAnswer> {
    await this.wait({ untilMs: this.now(), summary });
    return this.world.events.register(wait);
  }

  async emit({
    commandId: id,
    summary,
    runId: _runId,
    nodeId: _nodeId,
    subject,
    ...event
  }: EmitOrder): Promise<string> {
    await this.wait({ untilMs: this.now(), summary });
    this.world.events.publish({ id, ...event, ...(subject === null ? {} : { subject }) }, this.now());
    return id;
  }

  notify({ key }: Notice): Promise<void> {
    return this.wait({ untilMs: this.now(), summary: key });
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

  rollover(): 'no' | 'soon' {
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

  run<T>(body: () => T): T {
    return body();
  }
}
