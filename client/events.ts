/**
 * Events: one accepted event starts one run of every definition that matches it, however often it is delivered.
 *
 * Invariants:
 * 1. An event is on disk before anything is started. What a crash interrupts, the next delivery or a worker's sweep
 *    finishes ({@link sweepEvents}).
 * 2. Which definitions it starts is fixed when it is first accepted. Every delivery gets the same `runs` and
 *    `notMatched`.
 */
import type { AcceptedEvent } from '../store/index.ts';
import { checkArgument, checkOptions, id, wholeNumber } from './check-arguments.ts';
import type { ClientParts } from './client-parts.ts';
import { type PublishedEvent, toAnswer } from './event-answer.ts';
import { planStarts } from './event-starts.ts';
import { explainEvent, type EventExplanation, type ExplainEventOptions } from './explain-event.ts';
import { finishEvent } from './finish-event.ts';
import { freeKeysOf } from './keyed-runs.ts';
import { type NewEvent, readEvent } from './read-event.ts';
import type { Subscriptions } from './subscriptions.ts';
import { isTemporalUnavailable } from './temporal-error.ts';
import { waitingRuns } from './waiting-runs.ts';

export class Events {
  readonly #parts: ClientParts;
  readonly #subscriptions: Subscriptions;

  constructor(parts: ClientParts, subscriptions: Subscriptions) {
    this.#parts = parts;
    this.#subscriptions = subscriptions;
  }

  /**
   * Publishes an event and gives what it started. While Temporal cannot be reached it is stored all the same, and its
   * runs begin later by themselves: then the answer has `pending`.
   *
   * @throws FermataError `event.invalid`, `event.conflict`, `input.too_large`, `temporal.rejected`
   */
  async publish(event: NewEvent): Promise<PublishedEvent> {
    const accepted = await this.#accept(event);
    const finished = await finishEvent(this.#parts, accepted, async (id, version) => {
      return (await this.#subscriptions.version(id, version)).version;
    });
    const { failure } = finished;
    if (failure !== null && !isTemporalUnavailable(failure)) throw failure;
    const { created } = accepted;
    const waits = finished.waited ? await waitingRuns(this.#parts.store, finished.event, { missed: created }) : [];
    return toAnswer(finished, { created, waits });
  }

  /**
   * Says what became of an event: per definition that listens to its type, and per run that waits for it, whether it took
   * the event, or which part did not match.
   *
   * @throws FermataError `event.not_found`, `usage.invalid`
   */
  async explain(eventId: string, options: ExplainEventOptions = {}): Promise<EventExplanation> {
    checkArgument('events.explain.eventId', eventId, id);
    checkOptions('events.explain', options, { runId: id, limit: wholeNumber });
    return await explainEvent(this.#parts.store, eventId, options);
  }

  async #accept(given: NewEvent): Promise<AcceptedEvent> {
    const nowMs = Date.now();
    const { event, timeGiven } = readEvent(given, nowMs);
    const { store, settings } = this.#parts;
    await this.#subscriptions.load();
    for (;;) {
      const plan = await planStarts(event, this.#subscriptions, { tenant: settings.tenant, nowMs });
      await freeKeysOf(this.#parts, plan.starts);
      const accepted = await store.events.accept({ event, timeGiven, taskQueue: settings.taskQueue, ...plan });
      if (accepted !== null) return accepted;
      await this.#subscriptions.refresh();
    }
  }
}
