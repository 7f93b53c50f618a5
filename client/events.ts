/**
 * Events: one accepted event starts one run of every definition that matches it, however often it is delivered.
 *
 * Invariants:
 * 1. An event is on disk before anything is started. What a crash interrupts, the next delivery or a worker's sweep
 *    finishes ({@link sweepEvents}).
 * 2. Which definitions it starts is fixed when it is first accepted. Every delivery gets the same `runs` and
 *    `notMatched`.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { AcceptedEvent, Delivery } from '../store/index.ts';
import { type NotMatchedDefinition, planStarts } from './event-starts.ts';
import type { ClientParts } from './client-parts.ts';
import { finishEvent } from './finish-event.ts';
import { type NewEvent, readEvent } from './read-event.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface PublishedEvent {
  readonly eventId: string;
  /** Whether this delivery was the first. */
  readonly created: boolean;
  /** One per definition that matched, by definition id; the same for every delivery. */
  readonly runs: readonly EventRun[];
  /** Ids of the runs that were pending until this delivery; each run is in one answer only. */
  readonly began: readonly string[];
  /** Definitions that listen to this type and did not take the event: the first 100, by definition id. */
  readonly notMatched: readonly NotMatchedDefinition[];
}

export interface EventRun {
  readonly definitionId: string;
  readonly version: number;
  /** `null` where the start was refused. */
  readonly runId: string | null;
  readonly status: 'started' | 'refused';
  /** Why it was refused. */
  readonly error?: ErrorInfo;
}

export class Events {
  readonly #parts: ClientParts;
  readonly #subscriptions: Subscriptions;

  constructor(parts: ClientParts, subscriptions: Subscriptions) {
    this.#parts = parts;
    this.#subscriptions = subscriptions;
  }

  /**
   * Publishes an event and gives what it started.
   *
   * @throws FermataError `event.invalid`, `event.conflict`, `input.too_large`; `temporal.unavailable` when the event is
   * stored and its runs begin later by themselves
   */
  async publish(event: NewEvent): Promise<PublishedEvent> {
    const accepted = await this.#accept(event);
    const { event: finished, began } = await finishEvent(this.#parts, accepted, async (id, version) => {
      return (await this.#subscriptions.version(id, version)).version;
    });
    return toAnswer(finished, accepted.created, began);
  }

  async #accept(given: NewEvent): Promise<AcceptedEvent> {
    const nowMs = Date.now();
    const { event, timeGiven } = readEvent(given, nowMs);
    const { store, settings } = this.#parts;
    await this.#subscriptions.load();
    for (;;) {
      const plan = await planStarts(event, this.#subscriptions, { tenant: settings.tenant, nowMs });
      const accepted = await store.events.accept({ event, timeGiven, taskQueue: settings.taskQueue, ...plan });
      if (accepted !== null) return accepted;
      await this.#subscriptions.refresh();
    }
  }
}

function toAnswer(event: AcceptedEvent, created: boolean, began: readonly string[]): PublishedEvent {
  return {
    eventId: event.event.id,
    created,
    runs: event.deliveries.map(toRun),
    began,
    notMatched: event.unmatched as readonly NotMatchedDefinition[],
  };
}

function toRun({ definitionId, version, runId, error }: Delivery): EventRun {
  if (error === null) return { definitionId, version, runId, status: 'started' };
  return { definitionId, version, runId: null, status: 'refused', error };
}
