/**
 * Accepted events of one tenant, and what became of the runs they start.
 *
 * What it is not: the start itself. The client starts what is `pending` and then settles it; what a crash left pending
 * is found by {@link claimEvents}.
 *
 * Invariants:
 * 1. A row per (definition, event) stays for ever, so no delivery, however late, starts a second run.
 * 2. A delivery is settled once; an event is done when none is pending.
 */
import { sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import { type AcceptedEvent, acceptEvent, type EventAcceptance, loadEvent } from './accept-event.ts';
import type { Database } from './database.ts';

/** What became of a delivery. */
export interface Settlement {
  readonly definitionId: string;
  /** `null`: the run was started, now or before. Otherwise it never will be. */
  readonly refusal: ErrorInfo | null;
}

export class EventStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /**
   * Stores an event, or finds it.
   * @throws event.conflict
   */
  async accept(acceptance: EventAcceptance): Promise<AcceptedEvent> {
    return await this.#db.transaction().execute((trx) => acceptEvent(trx, this.#tenant, acceptance));
  }

  /** An accepted event with what it started, or `null`. */
  async get(id: string): Promise<AcceptedEvent | null> {
    return await loadEvent(this.#db, { tenant: this.#tenant, id });
  }

  /** Writes what became of deliveries; with the last one the event is done. Settling twice changes nothing. */
  async settle(id: string, settlements: readonly Settlement[]): Promise<void> {
    const started = settlements.filter((settlement) => settlement.refusal === null);
    if (started.length > 0) {
      await this.#pending(id, started).set({ status: 'started', settled_at: sql<Date>`clock_timestamp()` }).execute();
    }
    for (const { definitionId, refusal } of settlements)
      if (refusal !== null) await this.#refuse(id, definitionId, refusal);
    // A statement of its own: the last of several settlers sees all deliveries settled.
    await this.#db
      .updateTable('fermata.events')
      .set({ done_at: sql<Date>`clock_timestamp()` })
      .where('tenant', '=', this.#tenant)
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('fermata.deliveries')
              .select('event_id')
              .where('tenant', '=', this.#tenant)
              .where('event_id', '=', id)
              .where('status', '=', 'pending'),
          ),
        ),
      )
      .execute();
  }

  async #refuse(id: string, definitionId: string, refusal: ErrorInfo): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const refused = await trx
        .updateTable('fermata.deliveries')
        .set({ status: 'refused', error: JSON.stringify(refusal), settled_at: sql<Date>`clock_timestamp()` })
        .where('tenant', '=', this.#tenant)
        .where('event_id', '=', id)
        .where('definition_id', '=', definitionId)
        .where('status', '=', 'pending')
        .returning('run_id')
        .executeTakeFirst();
      if (typeof refused?.run_id !== 'string') return;
      // It was announced as pending and never began.
      await trx
        .deleteFrom('fermata.runs')
        .where('tenant', '=', this.#tenant)
        .where('run_id', '=', refused.run_id)
        .where('state', '=', 'pending')
        .execute();
    });
  }

  #pending(id: string, settlements: readonly Settlement[]) {
    return this.#db
      .updateTable('fermata.deliveries')
      .where('tenant', '=', this.#tenant)
      .where('event_id', '=', id)
      .where('status', '=', 'pending')
      .where(
        'definition_id',
        'in',
        settlements.map((settlement) => settlement.definitionId),
      );
  }
}
