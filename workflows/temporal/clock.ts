/**
 * The run's own clock.
 *
 * Temporal's clock in the sandbox is the time of the activation. While the run lives, each local activity that ends has
 * an activation of its own; on replay, all ends of a workflow task come in one activation, with the time of the last,
 * and together with the signals, timers and activities that came before them. So while local activities are under way
 * that clock reads otherwise on replay, by as much as they take; when none is, it has seen the same ends both times.
 *
 * Invariants:
 * 1. Every time that a run reads comes from here, and reads the same on replay.
 * 2. While local activities are under way it stands still, but for a timer that fires: then it is the moment that the
 *    timer was set for.
 * 3. It never goes back, and never before Temporal's: a delay that counts from it may end late, never early.
 */
import { max } from '../../definitions/intrinsics.ts';

export class RunClock {
  #now = 0;
  /** Local activities under way. */
  #held = 0;

  /** Milliseconds since 1970. */
  now(): number {
    if (this.#held === 0) this.#moveTo(Date.now());
    return this.#now;
  }

  /** A local activity begins. */
  hold(): void {
    this.now();
    this.#held += 1;
  }

  /** One has ended. */
  release(): void {
    this.#held -= 1;
  }

  /** Whether local activities are under way. */
  get isHeld(): boolean {
    return this.#held > 0;
  }

  /** A timer that was set for this moment has fired. */
  fired(atMs: number): void {
    if (this.#held > 0) this.#moveTo(atMs);
  }

  #moveTo(ms: number): void {
    this.#now = max(this.#now, ms);
  }
}
