/**
 * What runs that wait had of an event: which it was delivered to, which took it, and what kept others from it.
 */
import type { Correlation } from '../definitions/correlation.ts';
import { matchFilters } from '../definitions/filters.ts';
import { MASK } from '../definitions/mask.ts';
import { isoTime } from '../definitions/timestamps.ts';
import type { CloudEvent, Json } from '../definitions/types.ts';
import type { AcceptedEvent, ExplainedWait, Store } from '../store/index.ts';

export interface WaitingRun {
  readonly runId: string;
  readonly nodeId: string;
  /**
   * `taken`: the wait ended with it. `delivered`: the run was told, and may still ask its filter or have given it to
   * another of its waits. `pending`: the run will be told. `ended`: the run was over. `missed`: it is not what is waited for.
   */
  readonly status: 'taken' | 'delivered' | 'pending' | 'ended' | 'missed';
  /** What did not match. */
  readonly reason?: MissReason;
}

export interface MissReason {
  /** Of the event's envelope; `filter`, `lookback`: the field of the node. */
  readonly path: string;
  /** In plain words: `data.orderId is "O-8", not "O-7"`. */
  readonly message: string;
}

const MOST_DELIVERED = 100;
const MOST_MISSED = 20;

/** Of an event just published: the waits that it was delivered to; else, with `missed`, some that it missed. */
export async function waitingRuns(
  store: Store,
  { event, acceptedAt }: AcceptedEvent,
  { missed }: { readonly missed: boolean },
): Promise<readonly WaitingRun[]> {
  const deliveries = await store.eventWaits.deliveries(event.id, MOST_DELIVERED);
  if (deliveries.length > 0) return deliveries.map(({ runId, nodeId, status }) => ({ runId, nodeId, status }));
  const waits = missed ? await store.eventWaits.explain(event, { limit: MOST_MISSED }) : [];
  return waits.map((wait) => toWaitingRun(wait, event, acceptedAt));
}

/** What one wait had of an event, with the reason where it did not take it. */
export function toWaitingRun(wait: ExplainedWait, event: CloudEvent, acceptedAt: Date): WaitingRun {
  const { runId, nodeId, took, delivery } = wait;
  if (took === event.id) return { runId, nodeId, status: 'taken' };
  const reason = missReason(wait, event, acceptedAt);
  if (reason !== null) return { runId, nodeId, status: 'missed', reason };
  return { runId, nodeId, status: delivery ?? 'pending' };
}

function missReason(wait: ExplainedWait, event: CloudEvent, acceptedAt: Date): MissReason | null {
  const { since, took, closedAt, missed } = wait;
  const asked = missed.findLast(({ eventId }) => eventId === event.id);
  if (asked) return { path: 'filter', message: asked.message };
  if (!wait.correlates) return unequal(wait, event);
  const arrived = acceptedAt.toISOString();
  if (acceptedAt < since) {
    return { path: 'lookback', message: `it arrived at ${arrived}, and the wait counts events since ${iso(since)}` };
  }
  if (closedAt === null) return null;
  const how = took === null ? 'without an event' : `with the event ${JSON.stringify(took)}`;
  return { path: '', message: `the wait had ended ${how}` };
}

/** The first value that is not the wanted one. One that is hidden is told last, and without its value. */
function unequal({ expected }: ExplainedWait, event: CloudEvent): MissReason {
  const shown = Object.entries(expected).filter(([, value]) => value !== MASK);
  const failed = matchFilters(Object.fromEntries(shown) as Correlation, event as unknown as Json);
  if (failed !== null) return { path: failed.path, message: failed.message };
  const [path = ''] = Object.keys(expected).filter((one) => expected[one] === MASK);
  return { path, message: `${path} is not the value that is waited for, which is hidden` };
}

function iso(date: Date): string {
  return isoTime(date.getTime());
}
