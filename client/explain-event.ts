/**
 * What became of an event: which definitions it started and which it did not, which waiting runs took it and what kept
 * the others from it.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import type { CloudEvent } from '../definitions/types.ts';
import type { AcceptedEvent, Delivery, Store } from '../store/index.ts';
import type { NotMatchedDefinition } from './event-starts.ts';
import { toWaitingRun, type WaitingRun } from './waiting-runs.ts';

export interface ExplainEventOptions {
  /** Only waits of this run, and all of them. */
  readonly runId?: string;
  /** Most waits that it missed. Default 100. */
  readonly limit?: number;
}

export interface EventExplanation {
  readonly event: Pick<CloudEvent, 'id' | 'type' | 'source'> & { readonly acceptedAt: string };
  /** Definitions that listened to its type when it came: those it started, then the first 100 that it did not. */
  readonly definitions: readonly ExplainedDefinition[];
  /** Waits that took it, that it was delivered to, and open ones that it missed. */
  readonly waits: readonly WaitingRun[];
}

export interface ExplainedDefinition {
  readonly definitionId: string;
  readonly version: number;
  readonly status: Delivery['status'] | 'not_matched';
  readonly runId: string | null;
  /** Why it was refused. */
  readonly error?: ErrorInfo;
  /** Of `not_matched`: the first filter that did not hold. */
  readonly reason?: NotMatchedDefinition['reason'];
}

const MOST_MISSED = 100;

/** @throws FermataError `event.not_found` */
export async function explainEvent(
  store: Store,
  id: string,
  { runId, limit = MOST_MISSED }: ExplainEventOptions,
): Promise<EventExplanation> {
  const accepted = await store.events.get(id);
  if (accepted === null) {
    const message = `no event "${id}" was accepted for the tenant "${store.tenant}"`;
    throw new FermataError('event.not_found', message, { eventId: id, tenant: store.tenant });
  }
  const { event, acceptedAt } = accepted;
  const waits = await store.eventWaits.explain(event, { limit, ...(runId === undefined ? {} : { runId }) });
  return {
    event: { id: event.id, type: event.type, source: event.source, acceptedAt: acceptedAt.toISOString() },
    definitions: definitionsOf(accepted),
    waits: waits.map((wait) => toWaitingRun(wait, event, acceptedAt)),
  };
}

function definitionsOf({ deliveries, unmatched }: AcceptedEvent): readonly ExplainedDefinition[] {
  const started = deliveries.map(({ definitionId, version, status, runId, error }) => {
    return { definitionId, version, status, runId, ...(error === null ? {} : { error }) };
  });
  const others = (unmatched as readonly NotMatchedDefinition[]).map((one) => {
    return { ...one, status: 'not_matched' as const, runId: null };
  });
  return [...started, ...others];
}
