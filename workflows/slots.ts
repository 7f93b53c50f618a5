/**
 * Slots for the commands of a run: at most `LIMITS.commandsInFlight` are under way, whatever its fan-outs ask for.
 *
 * What it is: what keeps a run below Temporal's limits on pending activities and on the commands of one workflow task.
 * What it is not: `concurrency` of a `forEach`; that counts items.
 *
 * Invariants:
 * 1. Only a command that is about to be given holds a slot, never a scope around it, so nested fan-outs cannot deadlock.
 * 2. Who waits longest is next.
 */
import { LIMITS } from '../definitions/limits.ts';

/** A place in the queue; `granted` once its turn has come. */
export interface Ticket {
  granted: boolean;
}

export class Slots {
  #taken = 0;
  #children = 0;
  readonly #queue = new Set<Ticket>();

  /** Takes a slot; `null`: taken. Else a ticket, to be watched until it is granted or given back. */
  take(): Ticket | null {
    if (this.#taken < LIMITS.commandsInFlight) {
      this.#taken += 1;
      return null;
    }
    const ticket = { granted: false };
    this.#queue.add(ticket);
    return ticket;
  }

  /** Whether anything is under way that has to be awaited before the run can stop. */
  isBusy(): boolean {
    return this.#taken > 0 || this.#children > 0;
  }

  /** A child is under way. It takes no slot: it may wait for what a command of this run does. */
  childBegins(): void {
    this.#children += 1;
  }

  childEnds(): void {
    this.#children -= 1;
  }

  /** Takes a slot whether one is free or not, for a command that is asked for again. */
  occupy(): void {
    this.#taken += 1;
  }

  /** Hands the slot to whoever waits longest. */
  free(): void {
    const [next] = this.#queue;
    if (next === undefined || this.#taken > LIMITS.commandsInFlight) {
      this.#taken -= 1;
      return;
    }
    this.#queue.delete(next);
    next.granted = true;
  }

  /** Leaves the queue, or frees the slot if the turn had come. */
  giveBack(ticket: Ticket): void {
    if (!this.#queue.delete(ticket)) this.free();
  }
}
