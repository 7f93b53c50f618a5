/**
 * People being told of an approval: an activity of its own for each notice, so that it is tried again.
 *
 * Invariant: it ends. A hook that fails or hangs is given up after its attempts, since the end of a run waits for it.
 */
import { proxyActivities } from '@temporalio/workflow';
import { NOTIFY } from '../../definitions/wire.ts';
import type { Notice } from '../orders.ts';
import type { NotifyRequest, RecordsOf } from './wire.ts';

/** About three minutes where each attempt fails at once. */
const RETRY = { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 10 } as const;

export function notify(notice: Notice, { tenant, definitionId }: RecordsOf): Promise<void> {
  const { [NOTIFY]: tell } = proxyActivities<{ [NOTIFY](request: NotifyRequest): Promise<void> }>({
    activityId: notice.key.slice(notice.runId.length + 1),
    startToCloseTimeout: '30s',
    retry: RETRY,
    summary: `${notice.nodeId}: ${notice.kind}`,
  });
  return tell({ ...notice, tenant, definitionId });
}
