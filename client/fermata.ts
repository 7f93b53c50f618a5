/**
 * What an application holds: definitions, events, runs, approvals and calendars of one tenant.
 *
 * Make one with `connect()`, share it, and close it at the end.
 */
import type { Client } from '@temporalio/client';
import type { Store } from '../store/index.ts';
import { Approvals } from './approvals.ts';
import { Calendars } from './calendars.ts';
import type { ClientParts } from './client-parts.ts';
import { Definitions } from './definitions.ts';
import { Events } from './events.ts';
import { Runs } from './runs.ts';
import type { Settings } from './settings.ts';
import { Subscriptions } from './subscriptions.ts';

export class Fermata implements ClientParts {
  readonly settings: Settings;
  readonly store: Store;
  /** Temporal's own client, for what Fermata does not do. */
  readonly temporal: Client;
  readonly definitions: Definitions;
  readonly events: Events;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly calendars: Calendars;
  readonly #subscriptions: Subscriptions;
  readonly #closeTemporal: () => Promise<void>;

  constructor(parts: ClientParts & { readonly closeTemporal: () => Promise<void> }) {
    this.settings = parts.settings;
    this.store = parts.store;
    this.temporal = parts.temporal;
    this.#closeTemporal = parts.closeTemporal;
    this.#subscriptions = new Subscriptions(parts.store);
    this.definitions = new Definitions(parts.store);
    this.events = new Events(parts, this.#subscriptions);
    this.runs = new Runs(parts);
    this.approvals = new Approvals(parts);
    this.calendars = new Calendars(parts.store);
  }

  /** Ends the connections that `connect()` made. */
  async close(): Promise<void> {
    await this.#subscriptions.close();
    await Promise.all([this.store.close(), this.#closeTemporal()]);
  }
}
