/**
 * Local activities of a run: their ends come to the walk one by one.
 *
 * What it is: what makes a run that has several under way replay as it went. The SDK hands an end over when it comes, and
 * on replay all ends of a workflow task at once, in their order: then what each of them sets going is mixed with what the
 * others do, depending on how many promises lie in between, and joins have other winners.
 *
 * Invariants:
 * 1. Ends are taken in the order in which they came, which is that of their markers; each when all that the one before it,
 *    and every other message, set going has come to rest.
 *    A run that never had two effects under way at once has nothing to mix, and is spared that.
 * 2. No local activity is ever cancelled: one that has ended in the same moment fails the workflow task (the SDK knows no
 *    way there from its state). Who no longer waits for one is told so at once; it ends by itself, and nobody looks.
 * 3. The clock is held until the end of a local activity is taken, whether or not somebody waits for it.
 * 4. A run ends, or goes on in a fresh history, when none is under way: the marker of one that ends meanwhile would come
 *    after the run's last command, which the server refuses.
 * 5. A retry waits on a timer of the run, so that each end, good or bad, is in the history within `LIMITS.localMs`: a
 *    workflow task that is kept alive without one is left out on replay, and its time with it.
 */
import {
  CancellationScope,
  condition,
  type LocalActivityOptions,
  proxyLocalActivities,
  type UntypedActivities,
} from '@temporalio/workflow';
import type { RunClock } from './clock.ts';

/** The SDK copies options with their symbols, so that the interceptor finds the run's turns on them. */
const TURNS = Symbol('turns');

/** The turns of one run. */
export class LocalTurns {
  readonly #clock: RunClock;
  readonly #root = CancellationScope.current();
  readonly #waits = new Set<() => boolean>();
  readonly #ended: (() => void)[] = [];
  /** Effects under way, counted until there are two at once. */
  #underWay = 0;
  #sideBySide = false;

  /** To be made in a scope that is not cancelled. */
  constructor(clock: RunClock) {
    this.#clock = clock;
  }

  /** Local activities that take turns. */
  proxy<Activities = UntypedActivities>(options: LocalActivityOptions) {
    return proxyLocalActivities<Activities>({
      ...options,
      localRetryThreshold: 1,
      [TURNS]: this,
    } as LocalActivityOptions);
  }

  /** Runs `wait`, which ends when `ready` holds; no end is taken while it holds and the wait goes on. */
  async before<T>(ready: () => boolean, wait: () => Promise<T>): Promise<T> {
    this.#waits.add(ready);
    try {
      return await wait();
    } finally {
      this.#waits.delete(ready);
    }
  }

  /** Resolves when none is under way. */
  async allEnded(): Promise<void> {
    if (this.#clock.isHeld) await condition(() => !this.#clock.isHeld);
  }

  /** Tells of an effect that begins. Two that are under way at once make a run that has to wait for rest. */
  follow<T>(effect: Promise<T>): Promise<T> {
    if (this.#sideBySide) return effect;
    if (this.#underWay++ > 0) this.#sideBySide = true;
    const ended = (): void => {
      this.#underWay -= 1;
    };
    effect.then(ended, ended);
    return effect;
  }

  /** One attempt. */
  attempt<T>(begin: () => Promise<T>, awaited: boolean): Promise<T> {
    const asking = CancellationScope.current();
    if (asking.consideredCancelled) return asking.cancelRequested;
    this.#clock.hold();
    return new Promise((resolve, reject) => {
      const giveUp = (reason: Error): void => {
        this.#sideBySide = true;
        reject(reason);
      };
      if (asking.cancellable && !awaited) asking.cancelRequested.catch(giveUp);
      void this.#root.run(async () => {
        const underWay = begin();
        const end = (): void => this.#end(() => resolve(underWay), this.#sideBySide || asking.consideredCancelled);
        underWay.then(end, end);
      });
    });
  }

  #end(settle: () => void, mayMix: boolean): void {
    if (!mayMix) return this.#take(settle);
    if (this.#ended.push(settle) === 1) this.#takeNext();
  }

  #take(settle: () => void): void {
    this.#clock.release();
    settle();
  }

  #takeNext(): void {
    void this.#rest().then(() => {
      const settle = this.#ended.shift();
      if (settle) this.#take(settle);
      if (this.#ended.length > 0) this.#takeNext();
    });
  }

  /** The SDK looks at conditions when no promise has anything left to do. */
  #rest(): Promise<void> {
    let asked = false;
    const rest = condition(() => asked && !this.#isAnyReady());
    asked = true;
    return rest;
  }

  #isAnyReady(): boolean {
    for (const ready of this.#waits) if (ready()) return true;
    return false;
  }
}

/** For the interceptor: each attempt of a local activity, a retry after a long pause being one of its own. */
export function inTurn<T>(options: LocalActivityOptions, begin: () => Promise<T>): Promise<T> {
  const turns = (options as { readonly [TURNS]?: LocalTurns })[TURNS];
  if (turns === undefined) return begin();
  return turns.attempt(begin, options.cancellationType === 'WAIT_CANCELLATION_COMPLETED');
}
