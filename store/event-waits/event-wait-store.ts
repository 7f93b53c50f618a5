/**
 * Waits of one tenant's runs for events, and the events that are for them.
 */
import type { WaitAnswer, WaitRegistration } from '../../definitions/event-waits.ts';
import type { CloudEvent } from '../../definitions/types.ts';
import type { Database } from '../database.ts';
import { type ExplainedWait, explainWaits, type ExplainWaitsOptions } from './explain-waits.ts';
import { matchWaits } from './match-waits.ts';
import { registerWait } from './register-wait.ts';
import { loadWaitDeliveries, settleWaits, type WaitDelivery, type WaitSettlement } from './wait-deliveries.ts';

export class EventWaitStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /** Says what a run waits for, and gives the events that are there already, in order of arrival. */
  async register(wait: WaitRegistration): Promise<WaitAnswer> {
    return await registerWait(this.#db, this.#tenant, wait);
  }

  /** Looks for the open waits that an accepted event is for. Gives whether its type has ever been waited for. */
  async match(event: CloudEvent): Promise<boolean> {
    return await matchWaits(this.#db, this.#tenant, event);
  }

  /** Up to `limit` waits that an event is for and that have not been told, by wait id. */
  async pending(eventId: string, limit: number): Promise<readonly WaitDelivery[]> {
    return await loadWaitDeliveries(this.#db, this.#key(eventId), { pending: true, limit });
  }

  /** Writes which runs were told of an event, or are over. */
  async settle(eventId: string, settlements: readonly WaitSettlement[]): Promise<void> {
    await settleWaits(this.#db, this.#key(eventId), settlements);
  }

  /** Up to `limit` waits that an event was for, by wait id. */
  async deliveries(eventId: string, limit: number): Promise<readonly WaitDelivery[]> {
    return await loadWaitDeliveries(this.#db, this.#key(eventId), { limit });
  }

  /** Waits that took the event, that it was delivered to, and of those that it missed the first `limit`. */
  async explain(event: CloudEvent, options: ExplainWaitsOptions): Promise<readonly ExplainedWait[]> {
    return await explainWaits(this.#db, this.#tenant, { ...options, event });
  }

  #key(id: string): { readonly tenant: string; readonly id: string } {
    return { tenant: this.#tenant, id };
  }
}
