/**
 * Finishing an accepted event: starting what it has pending, telling the runs that wait for it, and settling it.
 *
 * Invariants:
 * 1. Safe to do twice, also at once: a start that is there already counts as done.
 * 2. A start that did not succeed, whatever the reason, stays pending: an accepted event is never lost.
 * 3. Once Temporal cannot be reached, no further start of the event is tried.
 * 4. Its waits are looked for before it is settled, so no event is done that a waiting run may still want.
 */
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';
import type { AcceptedEvent, Delivery, StoredVersion, SweepOptions } from '../store/index.ts';
import type { ClientParts } from './client-parts.ts';
import { eachAtOnce } from './each-at-once.ts';
import { startRun } from './start-run.ts';
import { tellWaits } from './tell-waits.ts';
import { isTemporalUnavailable } from './temporal-error.ts';

export interface FinishedEvent {
  readonly event: AcceptedEvent;
  /** Ids of the runs that this call settled as started. */
  readonly began: readonly string[];
  /** Whether runs have ever waited for events of its type. */
  readonly waited: boolean;
  /** Why deliveries are still pending; `null`: none is. */
  readonly failure: Error | null;
}

/** Where a version is read from: the store, or a copy of it. */
export type VersionSource = (definitionId: string, version: number) => Promise<StoredVersion>;

/** Starts what can be started; {@link FinishedEvent.failure} is the error of `startRun`, saying that the event is stored. */
export async function finishEvent(
  parts: ClientParts,
  event: AcceptedEvent,
  versionOf: VersionSource,
): Promise<FinishedEvent> {
  if (event.done) return { event, began: [], waited: true, failure: null };
  const pending = event.deliveries.filter((delivery) => delivery.status === 'pending');
  const [{ started, failures }, told] = await Promise.all([
    startAll(parts, event, { pending, versionOf }),
    tellWaits(parts, event),
  ]);
  if (told.failure !== null) failures.push(told.failure);
  const { events } = parts.store.forTenant(event.tenant);
  const settlements = started.map((definitionId) => ({ definitionId, refusal: null }));
  const settled = new Set(await events.settle(event.event.id, settlements));
  const done = failures.length === 0;
  const asFinished = (one: Delivery): Delivery => (started.includes(one.definitionId) ? asStarted(one) : one);
  return {
    event: { ...event, done, deliveries: event.deliveries.map(asFinished) },
    failure: done ? null : stored(event, failures.find(isTemporalUnavailable) ?? failures[0]),
    waited: told.waited,
    began: pending.flatMap(({ definitionId, runId }) => (settled.has(definitionId) ? (runId ?? []) : [])),
  };
}

async function startAll(
  parts: ClientParts,
  event: AcceptedEvent,
  { pending, versionOf }: { readonly pending: readonly Delivery[]; readonly versionOf: VersionSource },
): Promise<{ readonly started: readonly string[]; readonly failures: unknown[] }> {
  const started: string[] = [];
  const failures: unknown[] = [];
  await eachAtOnce(pending, async (delivery) => {
    if (failures.some(isTemporalUnavailable)) return;
    try {
      await startDelivery(parts, event, { delivery, versionOf });
      started.push(delivery.definitionId);
    } catch (error) {
      failures.push(error);
    }
  });
  return { started, failures };
}

/** Finishes events of all tenants that a crash interrupted. Gives how many it finished. */
export async function sweepEvents(parts: ClientParts, options: SweepOptions = {}): Promise<number> {
  const events = await parts.store.claimEvents(options);
  let finished = 0;
  const failures: unknown[] = [];
  await eachAtOnce(events, async (event) => {
    try {
      const { definitions } = parts.store.forTenant(event.tenant);
      const { failure } = await finishEvent(parts, event, (id, version) => definitions.get(id, version));
      if (failure !== null) throw failure;
      finished += 1;
    } catch (error) {
      failures.push(error);
    }
  });
  if (finished === 0 && failures.length > 0) throw failures[0];
  return finished;
}

async function startDelivery(
  parts: ClientParts,
  { event, tenant, taskQueue }: AcceptedEvent,
  { delivery, versionOf }: { readonly delivery: Delivery; readonly versionOf: VersionSource },
): Promise<void> {
  const { definitionId, runId, start } = delivery;
  if (runId === null || start === null) {
    throw new FermataError('internal.error', `the run of "${definitionId}" for the event "${event.id}" has no row`);
  }
  const version = await versionOf(definitionId, delivery.version);
  const { input, initiator, entity, keyed } = start;
  await startRun(parts, {
    runId,
    tenant,
    taskQueue: taskQueue ?? parts.settings.taskQueue,
    version,
    input,
    event,
    initiator,
    entity,
    keyed,
  });
}

function asStarted(delivery: Delivery): Delivery {
  return delivery.status === 'pending' ? { ...delivery, status: 'started', start: null } : delivery;
}

function stored(event: AcceptedEvent, error: unknown): Error {
  if (!isFermataError(error)) return error instanceof Error ? error : new Error(String(error));
  const { id } = event.event;
  const message = `the event "${id}" is stored, and what is missing follows with a worker's next sweep or the same event once more. ${error.message}`;
  return new FermataError(error.code, message, { eventId: id, stored: true }, { cause: error });
}
