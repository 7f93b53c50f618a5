/**
 * The store: everything that Fermata keeps in PostgreSQL, in the schema `fermata`.
 *
 * Invariants:
 * 1. `definitions`, `events`, `eventWaits`, `runs`, `approvals`, `decisions`, `handlers` and `calendars` see one tenant
 *    and nothing of another.
 * 2. What workers do for all tenants at once is apart: `records`, `values`, `sweepValues`, the `claim…` methods, `lookAgain`, `markChecked`.
 */
import { DEFAULT_TENANT } from '../definitions/wire.ts';
import type { AcceptedEvent } from './accept-event.ts';
import { ApprovalStore } from './approval-store.ts';
import { CalendarStore } from './calendar-store.ts';
import { connectDatabase, type Database, type DatabaseOptions } from './database.ts';
import { claimDecisions, DecisionOutbox, type SubmittedDecision } from './decision-outbox.ts';
import { DefinitionStore } from './definition-store.ts';
import { EventStore } from './event-store.ts';
import { claimEvents, type SweepOptions } from './event-sweep.ts';
import { EventWaitStore } from './event-waits/event-wait-store.ts';
import { HandlerStore } from './handler-store.ts';
import { listen, type Listener, type ListenOptions } from './listen.ts';
import { checkMigrated, migrate } from './migrate.ts';
import { RecordStore } from './records/record-store.ts';
import type { RunKey } from './run-document.ts';
import { claimKeys, type HeldKey, lookAgain } from './run-keys.ts';
import { claimIncompleteRuns, type IncompleteRun, markChecked, type ReconcileOptions } from './run-reconcile.ts';
import { RunStore } from './run-store.ts';
import { PostgresValues, type ValueStore, type ValueSweep, sweepValues } from './value-store.ts';

export interface StoreOptions extends DatabaseOptions {
  /** Default `default`. */
  readonly tenant?: string;
}

/**
 * Opens the store; nothing is connected before the first call.
 * @throws config.invalid when `databaseUrl` is no PostgreSQL address
 */
export function openStore(options: StoreOptions): Store {
  return new Store({ ...options, db: connectDatabase(options) }, options.tenant ?? DEFAULT_TENANT);
}

interface StoreConnection extends DatabaseOptions {
  readonly db: Database;
}

/** Every method throws `store.unavailable` when PostgreSQL cannot be used and `store.invalid` before `migrate()`. */
export class Store {
  readonly tenant: string;
  readonly definitions: DefinitionStore;
  readonly events: EventStore;
  readonly eventWaits: EventWaitStore;
  readonly runs: RunStore;
  readonly approvals: ApprovalStore;
  readonly decisions: DecisionOutbox;
  readonly handlers: HandlerStore;
  readonly calendars: CalendarStore;
  readonly records: RecordStore;
  /** Values that are too large for a history; every call names tenant and run. */
  readonly values: ValueStore;
  readonly #connection: StoreConnection;

  constructor(connection: StoreConnection, tenant: string) {
    const { db } = connection;
    this.#connection = connection;
    this.tenant = tenant;
    this.definitions = new DefinitionStore(db, tenant);
    this.events = new EventStore(db, tenant);
    this.eventWaits = new EventWaitStore(db, tenant);
    this.runs = new RunStore(db, tenant);
    this.approvals = new ApprovalStore(db, tenant);
    this.decisions = new DecisionOutbox(db, tenant);
    this.handlers = new HandlerStore(db, tenant);
    this.calendars = new CalendarStore(db, tenant);
    this.records = new RecordStore(db);
    this.values = new PostgresValues(db);
  }

  /** The same connections, seen by another tenant. */
  forTenant(tenant: string): Store {
    return new Store(this.#connection, tenant);
  }

  /** Brings the database to this release; safe from many processes at once. Gives the migrations it applied. */
  async migrate(): Promise<readonly string[]> {
    return await migrate(this.#connection.db);
  }

  /** Asks whether the database answers and has this release's tables. @throws store.unavailable, store.invalid */
  async check(): Promise<void> {
    await checkMigrated(this.#connection.db);
  }

  /** Unfinished events of all tenants, leased to the caller; see `event-sweep.ts`. */
  async claimEvents(options?: SweepOptions): Promise<readonly AcceptedEvent[]> {
    return await claimEvents(this.#connection.db, options);
  }

  /** Unanswered decisions of all tenants, leased to the caller; see `decision-outbox.ts`. */
  async claimDecisions(options?: {
    readonly leaseMs?: number;
    readonly limit?: number;
  }): Promise<readonly SubmittedDecision[]> {
    return await claimDecisions(this.#connection.db, options);
  }

  /** Keys of all tenants that want to be looked at, leased to the caller; see `run-keys.ts`. */
  async claimKeys(options?: { readonly limit?: number; readonly leaseMs?: number }): Promise<readonly HeldKey[]> {
    return await claimKeys(this.#connection.db, options);
  }

  /** Ends the lease of a key; it is due again after so many milliseconds, by default when others wait for it. */
  async lookAgain(key: HeldKey, afterMs?: number): Promise<void> {
    await lookAgain(this.#connection.db, key, afterMs);
  }

  /** Runs of all tenants that the reconciler should look at, leased to the caller; see `run-reconcile.ts`. */
  async claimIncompleteRuns(options?: ReconcileOptions): Promise<readonly IncompleteRun[]> {
    return await claimIncompleteRuns(this.#connection.db, options);
  }

  /** Says that an open run was looked at and its rows are right so far. */
  async markChecked(key: RunKey): Promise<void> {
    await markChecked(this.#connection.db, key);
  }

  /** Deletes values of runs that are no more, of all tenants; gives how many. See `value-store.ts`. */
  async sweepValues(options?: ValueSweep): Promise<number> {
    return await sweepValues(this.#connection.db, options);
  }

  /** Hears a channel until it is closed; read {@link ListenOptions.onConnect}. */
  listen(channel: string, onMessage: (payload: string) => void, options: ListenOptions = {}): Listener {
    return listen(this.#connection, channel, { ...options, onMessage });
  }

  /** Ends all connections, also those of {@link Store.forTenant}. Listeners are closed on their own. */
  async close(): Promise<void> {
    await this.#connection.db.destroy();
  }
}
