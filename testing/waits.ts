/**
 * Every wait of a simulated run: for time, for something to become true, or for whichever comes first.
 *
 * Invariants:
 * 1. No wait ends within the call that begins it, and each ends once: by time, by `ready`, or by cancellation.
 * 2. `ready` is asked when the wait begins and at every `notify()`, never in between.
 * 3. Waits whose end is due at the same moment end in the order in which they began.
 */
import type { Cancellation } from './cancellation.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface WaitFor {
  /** Milliseconds since 1970; `null`: time alone never ends it. */
  readonly untilMs: number | null;
  readonly ready?: () => boolean;
}

/** Who may cut a wait short, and what it then rejects with. */
export interface Interruption {
  readonly cancellation: Cancellation;
  onCancel(): Error;
}

export class Waits {
  readonly #clock: VirtualClock;
  readonly #asking = new Set<() => boolean>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Resolves when the wait is over; rejects when `interruption` cuts it short. */
  begin(wait: WaitFor, interruption?: Interruption): Promise<void> {
    if (interruption?.cancellation.requested) return Promise.reject(interruption.onCancel());
    const clock = this.#clock;
    const asking = this.#asking;
    const { untilMs, ready } = wait;
    return new Promise((resolve, reject) => {
      const ask = () => {
        const there = ready?.() === true;
        if (there) end(resolve);
        return there;
      };
      const end = (settle: () => void) => {
        cancelTimer?.();
        asking.delete(ask);
        stopListening?.();
        settle();
      };
      const dueMs = ready?.() === true ? clock.now() : untilMs;
      const cancelTimer = dueMs === null ? null : clock.schedule(dueMs, () => end(resolve));
      const stopListening = interruption?.cancellation.listen(() => end(() => reject(interruption.onCancel())));
      if (ready) asking.add(ask);
    });
  }

  /**
   * Asks every open wait whether what it waits for is there: to be called when something from outside was handled, or
   * the run has done a step. Gives whether one of them ended.
   */
  notify(): boolean {
    let ended = false;
    for (const ask of this.#asking) ended = ask() || ended;
    return ended;
  }
}
