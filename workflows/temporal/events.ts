/**
 * Waits for events and events published, each as one activity.
 *
 * Invariants:
 * 1. A wait is registered by an activity of its own, and no local one: what it finds may be more than one workflow task
 *    may carry.
 * 2. An event is published by an activity of its own, whose id is that of its visit; a cancel waits for its answer, so
 *    that the run knows whether the event is out.
 * 3. Both are tried until they succeed, however long the store or the server are away.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { WaitAnswer } from '../../definitions/event-waits.ts';
import { EMIT, REGISTER_WAIT } from '../../definitions/wire.ts';
import type { EmitOrder, WaitOrder } from '../orders.ts';
import type { EmitRequest, RecordsOf, WaitRequest } from './wire.ts';

const RETRY = { initialInterval: '200ms', maximumInterval: '30s' } as const;

export function registerWait({ summary, ...wait }: WaitOrder, { tenant }: RecordsOf): Promise<WaitAnswer> {
  const { [REGISTER_WAIT]: register } = proxyActivities<{
    [REGISTER_WAIT](request: WaitRequest): Promise<WaitAnswer>;
  }>({ startToCloseTimeout: '1 minute', retry: RETRY, summary });
  return register({ ...wait, tenant });
}

export function emit({ summary, ...event }: EmitOrder, { tenant }: RecordsOf): Promise<string> {
  const { [EMIT]: publish } = proxyActivities<{ [EMIT](request: EmitRequest): Promise<string> }>({
    activityId: event.commandId.slice(event.runId.length + 1),
    startToCloseTimeout: '1 minute',
    retry: RETRY,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary,
  });
  return publish({ ...event, tenant });
}
