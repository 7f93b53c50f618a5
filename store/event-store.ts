/**
 * Accepted events of one tenant, and what became of the runs they start.
 *
 * What it is not: the start itself. The client starts what is `pending` and then settles it; what a crash left pending
 * is found by {@link claimEvents}.
 *
 * Invariants:
 * 1. A row per (definition, event) stays for ever, so no delivery, however late, starts a second run.
 * 2. A delivery is settled once; an event is done when none is pending.
 * 3. Settling does not wait for the disk: if a crash of PostgreSQL forgets it, the sweeper starts again what is there.
 */
import { sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import { type AcceptedEvent, acceptEvent, type EventAcceptance, loadEvent } from './accept-event.ts';
import type { Database } from './database.ts';
import { COMMIT_MODE } from './commit-mode.ts';
import { finishIfSettled } from './event-waits/wait-deliveries.ts';

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
   * Stores an event, or finds it. With `revision` it gives `null` where definitions have changed since: read
   * `definitions.changes`, match again and call again.
   * @throws event.conflict
   */
  async accept(acceptance: EventAcceptance & { readonly revision: number }): Promise<AcceptedEvent | null>;
  async accept(acceptance: Omit<EventAcceptance, 'revision'>): Promise<AcceptedEvent>;
  async accept(acceptance: EventAcceptance): Promise<AcceptedEvent | null> {
    return await acceptEvent(this.#db, this.#tenant, acceptance);
  }

  /** An accepted event with what it started, or `null`. */
  async get(id: string): Promise<AcceptedEvent | null> {
    return await loadEvent(this.#db, { tenant: this.#tenant, id });
  }

  /**
   * Writes what became of deliveries; with the last one, those to waits included, the event is done. So its waits are
   * looked for before. Settling twice changes nothing. Gives the ids of the definitions that this call settled.
   */
  async settle(id: string, settlements: readonly Settlement[]): Promise<readonly string[]> {
    const rows = settlements.map(({ definitionId, refusal }) => ({
      definition_id: definitionId,
      error: refusal === null ? null : JSON.stringify(refusal),
    }));
    const { rows: settled } = await sql<{ definition_id: string }>`
      with ${COMMIT_MODE},
      settled as (
        update fermata.deliveries as delivery set settled_at = clock_timestamp(), error = row.error::json,
          status = case when row.error is null then 'started' else 'refused' end
        from commit_mode, json_to_recordset(${JSON.stringify(rows)}::json) as row(definition_id text, error text)
        where delivery.tenant = ${this.#tenant} and delivery.event_id = ${id} and delivery.status = 'pending'
          and delivery.definition_id = row.definition_id
        returning delivery.definition_id, delivery.run_id, delivery.status
      ),
      withdrawn as (
        delete from fermata.runs as run using settled
        where settled.status = 'refused' and run.tenant = ${this.#tenant} and run.run_id = settled.run_id
          and run.state = 'pending'
      )
      select definition_id from settled`.execute(this.#db);
    // A statement of its own: the last of several settlers sees all deliveries settled.
    await finishIfSettled(this.#db, { tenant: this.#tenant, id });
    return settled.map((row) => row.definition_id);
  }
}
