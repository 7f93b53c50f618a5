/**
 * Fuel: how far a run may walk without an effect before it hands the thread back.
 *
 * Invariant: it belongs to the run, not to a scope: however many branches walk, together they have one tank, and while
 * one of them hands the thread back the others wait with it.
 */
import type { Meter } from '../definitions/expressions/index.ts';
import { LIMITS } from '../definitions/limits.ts';

export class Fuel {
  readonly #meter: Meter;
  #visits = 0;
  #stepsBefore: number;
  #refuelling: Promise<void> | null = null;

  constructor(meter: Meter) {
    this.#meter = meter;
    this.#stepsBefore = meter.used;
  }

  /** Takes fuel for one visit. */
  isSpent(): boolean {
    this.#visits += 1;
    return this.#visits > LIMITS.fuelVisits || this.#meter.used - this.#stepsBefore > LIMITS.fuelSteps;
  }

  /** After an effect. */
  refill(): void {
    this.#visits = 0;
    this.#stepsBefore = this.#meter.used;
  }

  /** Hands the thread back, then fills the tank. */
  handBack(yieldThread: () => Promise<void>): Promise<void> {
    this.#refuelling ??= yieldThread().then(() => {
      this.#refuelling = null;
      this.refill();
    });
    return this.#refuelling;
  }
}
