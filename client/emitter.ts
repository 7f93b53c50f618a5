/**
 * Publishing the events of `emit` nodes, for runs of any tenant.
 *
 * Invariants:
 * 1. The event's id is made from the visit's, so that a repeated attempt publishes the same event.
 * 2. An event holds its data itself, also what its run keeps outside its history.
 * 3. An event that is stored is published: what it starts or wakes follows by itself, also while Temporal is away.
 */
import { createHash } from 'node:crypto';
import { isFermataError } from '../definitions/fermata-error.ts';
import { cutUtf8, utf8Length } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { EmitRequest } from '../workflows/temporal/wire.ts';
import type { ClientParts } from './client-parts.ts';
import { Events } from './events.ts';
import { Subscriptions } from './subscriptions.ts';
import { wholeValue } from './whole-value.ts';

/** Tenants whose subscriptions are kept. */
const MOST_TENANTS = 100;
const HASH_DIGITS = 24;

export class Emitter {
  readonly #parts: ClientParts;
  readonly #tenants = new Map<string, Events>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** Publishes an event, once per command id, and gives its id. @throws FermataError as `Events.publish` */
  async emit({ tenant, commandId, runId, type, source, subject, time, data: given }: EmitRequest): Promise<string> {
    const id = eventIdOf(commandId);
    const data = await wholeValue(this.#parts, { tenant, runId }, given);
    try {
      await this.#of(tenant).publish({ id, type, source, ...(subject === null ? {} : { subject }), time, data });
    } catch (error) {
      if (!isStored(error)) throw error;
    }
    return id;
  }

  #of(tenant: string): Events {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) return known;
    const store = this.#parts.store.forTenant(tenant);
    const parts = { ...this.#parts, store, settings: { ...this.#parts.settings, tenant } };
    const events = new Events(parts, new Subscriptions(store, { listens: false }));
    if (this.#tenants.size >= MOST_TENANTS) this.#tenants.delete(this.#tenants.keys().next().value ?? tenant);
    this.#tenants.set(tenant, events);
    return events;
  }
}

/** The command id, or what of it an event's id may hold and a hash of the whole. */
export function eventIdOf(commandId: string): string {
  if (utf8Length(commandId) <= LIMITS.idBytes) return commandId;
  const hash = createHash('sha256').update(commandId, 'utf8').digest('hex').slice(0, HASH_DIGITS);
  return `${cutUtf8(commandId, LIMITS.idBytes - HASH_DIGITS - 1)}~${hash}`;
}

function isStored(error: unknown): boolean {
  return isFermataError(error) && (error.details as { readonly stored?: boolean } | null)?.stored === true;
}
