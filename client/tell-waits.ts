/**
 * Telling the runs that wait for an event.
 *
 * Invariants:
 * 1. Safe to do twice, also at once: a run takes an event once, by its id.
 * 2. Who could not be told stays pending. A run that is over is settled, and its waits with it.
 * 3. No signal is larger than `LIMITS.signalBytes` and its envelope, so that a flood of events ends no run.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import { LIMITS } from '../definitions/limits.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { CloudEvent, Json } from '../definitions/types.ts';
import { EVENT, type EventDelivery } from '../definitions/wire.ts';
import type { AcceptedEvent, WaitDelivery, WaitSettlement } from '../store/index.ts';
import type { ClientParts } from './client-parts.ts';
import { eachAtOnce } from './each-at-once.ts';
import { isTemporalUnavailable, toTemporalError } from './temporal-error.ts';

/** Waits that are looked at together. */
const PAGE = 1_000;
const SIGNAL_TIMEOUT_MS = 10_000;

export interface ToldWaits {
  /** Whether runs have ever waited for events of this type. */
  readonly waited: boolean;
  /** Why some could not be told, where Temporal cannot be reached. */
  readonly failure: unknown;
}

/** Looks for the waits that an accepted event is for, and tells their runs. */
export async function tellWaits(parts: ClientParts, accepted: AcceptedEvent): Promise<ToldWaits> {
  const { eventWaits } = parts.store.forTenant(accepted.tenant);
  const { event } = accepted;
  const waited = await eventWaits.match(event);
  for (;;) {
    const pending = waited ? await eventWaits.pending(event.id, PAGE) : [];
    const { settlements, failures } = await tellRuns(parts, accepted, pending);
    await eventWaits.settle(event.id, settlements);
    if (failures.length > 0) return { waited, failure: failures.find(isTemporalUnavailable) ?? null };
    if (pending.length < PAGE) return { waited, failure: null };
  }
}

async function tellRuns(
  parts: ClientParts,
  accepted: AcceptedEvent,
  pending: readonly WaitDelivery[],
): Promise<{ readonly settlements: readonly WaitSettlement[]; readonly failures: readonly unknown[] }> {
  const settlements: WaitSettlement[] = [];
  const failures: unknown[] = [];
  const runIds = [...new Set(pending.map(({ runId }) => runId))];
  await eachAtOnce(runIds, async (runId) => {
    if (failures.some(isTemporalUnavailable)) return;
    try {
      settlements.push({ runId, status: await tellRun(parts, runId, accepted) });
    } catch (error) {
      failures.push(error);
    }
  });
  return { settlements, failures };
}

async function tellRun(
  { temporal, settings }: ClientParts,
  runId: string,
  { event, acceptedAt }: AcceptedEvent,
): Promise<WaitSettlement['status']> {
  const args = signalOf(event, acceptedAt);
  const handle = temporal.workflow.getHandle(runId);
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_TIMEOUT_MS, () => handle.signal(EVENT, ...args));
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'ended';
    throw toTemporalError(error, settings.temporal.address);
  }
}

function signalOf(event: CloudEvent, acceptedAt: Date): [event: Partial<CloudEvent>, delivery: EventDelivery] {
  const at = acceptedAt.toISOString();
  if (jsonBytes(event as unknown as Json) <= LIMITS.signalBytes) return [event, { at }];
  const { data: _data, ...envelope } = event;
  return [envelope, { at, lookUp: true }];
}
