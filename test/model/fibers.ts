/**
 * Fibers on a virtual clock: generators that pause until a moment, until something holds, or until they have to stop.
 *
 * What it is: the plain event queue under the reference walker. Naive on purpose: at each step everything is asked again.
 * What it is not: the simulator's clock or waits; it shares no line with them.
 *
 * Invariants:
 * 1. One fiber at a time, to its next pause. Time moves only when no fiber can go on.
 * 2. What is due at the same moment happens in the order in which it was asked for. Nobody promises that order to
 *    branches, so a run in which it mattered is marked (`tied`).
 */
export interface Pause {
  /** `null`: time alone never ends it. */
  readonly until: number | null;
  ready?(): boolean;
  /** Whether it has to end before it is due; absent: it is never cut short. */
  stopped?(): boolean;
  /** Moments at which `stopped` may begin to hold by itself. */
  readonly limits?: readonly Limit[];
}

export interface Limit {
  readonly at: number;
  /** Whose limit it is. */
  readonly of: object;
}

/** Code that may pause; it hears whether it was stopped. */
export type Steps<T> = Generator<Pause, T, boolean>;

interface Fiber {
  readonly steps: Steps<void>;
  pause: Pause;
}

interface Cause {
  readonly at: number;
  readonly of: object;
  happen(): void;
}

export class Fibers {
  now: number;
  /** Two things that have nothing to do with each other were due at the same moment. */
  tied = false;
  private paused: Fiber[] = [];
  private readonly outside: { readonly at: number; readonly happen: () => void }[] = [];

  constructor(start: number) {
    this.now = start;
  }

  /** Something that happens whatever fibers do. */
  at(at: number, happen: () => void): void {
    this.outside.push({ at, happen });
  }

  spawn(steps: Steps<void>): void {
    this.resume(steps, false);
  }

  /** Until nothing can happen any more, or `isOver`. */
  run(isOver: () => boolean): void {
    while (!isOver()) {
      const awake = this.paused.find(({ pause }) => pause.stopped?.() || pause.ready?.());
      if (awake) this.wake(awake, awake.pause.stopped?.() === true && awake.pause.ready?.() !== true);
      else if (!this.advance()) return;
    }
  }

  private advance(): boolean {
    const causes = this.causes();
    const at = Math.min(...causes.map((cause) => cause.at));
    const due = causes.filter((cause) => cause.at === at);
    const [first] = due;
    if (first === undefined) return false;
    if (at > this.now && new Set(due.map(({ of }) => of)).size > 1) this.tied = true;
    this.now = Math.max(this.now, at);
    first.happen();
    return true;
  }

  private causes(): Cause[] {
    const causes: Cause[] = this.outside.map((entry) => ({
      at: entry.at,
      of: entry,
      happen: () => {
        this.outside.splice(this.outside.indexOf(entry), 1);
        entry.happen();
      },
    }));
    for (const fiber of this.paused) {
      const { until, limits = [] } = fiber.pause;
      if (until !== null) causes.push({ at: until, of: fiber, happen: () => this.wake(fiber, false) });
      for (const { at, of } of limits) if (at > this.now) causes.push({ at, of, happen: () => undefined });
    }
    return causes;
  }

  private wake(fiber: Fiber, stopped: boolean): void {
    this.paused = this.paused.filter((other) => other !== fiber);
    this.resume(fiber.steps, stopped);
  }

  private resume(steps: Steps<void>, stopped: boolean): void {
    const { done, value } = steps.next(stopped);
    if (!done) this.paused.push({ steps, pause: value });
  }
}
