/**
 * Events of a simulation: those that there were, and the runs that wait for some.
 *
 * What it is: what publisher and store are in production; every event is accepted, in order, at the clock's time.
 * What it is not: a rule about which wait takes which event; that is the run's own.
 */
import { correlates } from '../definitions/correlation.ts';
import type { ArrivedEvent, WaitAnswer, WaitRegistration } from '../definitions/event-waits.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { CloudEvent } from '../definitions/types.ts';

/** Hands an event to a run by its id. */
export type Deliver = (runId: string, event: CloudEvent, at: string) => void;

export class SimulatedEvents {
  readonly #events: ArrivedEvent[] = [];
  readonly #waits = new Map<string, WaitRegistration>();
  #deliver: Deliver = () => undefined;

  /** Where events go to. */
  deliverTo(deliver: Deliver): void {
    this.#deliver = deliver;
  }

  /** Gives what was there before the wait, and remembers it for what comes later. */
  register(wait: WaitRegistration): WaitAnswer {
    for (const { waitId } of wait.ended) this.#waits.delete(waitId);
    this.#waits.set(wait.waitId, wait);
    return { events: this.#events.filter((one) => isMeant(wait, one)), next: null };
  }

  /** The same id again is the same event. */
  publish(event: CloudEvent, at: number): void {
    if (this.#events.some((known) => known.event.id === event.id)) return;
    const arrived = { event, at };
    this.#events.push(arrived);
    const waiting = [...this.#waits.values()].filter((wait) => isMeant(wait, arrived));
    for (const runId of new Set(waiting.map((wait) => wait.runId))) this.#deliver(runId, event, isoTime(at));
  }
}

function isMeant({ types, correlation, since, runStartedAt }: WaitRegistration, { event, at }: ArrivedEvent): boolean {
  return types.includes(event.type) && at >= (since ?? runStartedAt) && correlates(correlation, event);
}
