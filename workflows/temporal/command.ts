/**
 * One command as one activity, or, where it is `local` and quick enough, as one local activity.
 */
import { type ActivityOptions, type LocalActivityOptions, proxyActivities } from '@temporalio/workflow';
import { DEFAULT_COMMAND_VERSION } from '../../definitions/handler-catalog.ts';
import { max } from '../../definitions/intrinsics.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { Json } from '../../definitions/types.ts';
import { type CommandHeader, DEFAULT_JITTER } from '../../definitions/wire.ts';
import type { CommandOrder } from '../orders.ts';
import { withHeader } from './headers.ts';
import type { LocalTurns } from './local-turns.ts';
import type { RecordsOf } from './wire.ts';

type Handlers = { readonly [type: string]: (payload: Json) => Promise<Json> };

/** Gives the output of the handler; rejects with Temporal's failure of the last attempt. */
export function runCommand(order: CommandOrder, of: RecordsOf, locals: LocalTurns): Promise<Json> {
  const activityId = order.commandId.slice(of.runId.length + 1);
  const local = order.local && order.timeoutMs <= LIMITS.localMs;
  const header = headerOf(local ? order : { ...order, local }, of, activityId);
  const activities = local
    ? locals.proxy<Handlers>(withHeader(sharedOptions(order), header))
    : proxyActivities<Handlers>(withHeader(regularOptions(order, activityId), header));
  return (activities[order.type] as Handlers[string])(order.payload);
}

function sharedOptions({
  retry,
  timeoutMs,
  deadlineMs,
  summary,
  awaitWhenCancelled,
}: CommandOrder): LocalActivityOptions {
  return {
    retry: {
      maximumAttempts: retry.maxAttempts,
      initialInterval: retry.initialIntervalMs,
      backoffCoefficient: retry.backoffCoefficient,
      maximumInterval: max(retry.maxIntervalMs, retry.initialIntervalMs),
      nonRetryableErrorTypes: [...retry.nonRetryable],
    },
    startToCloseTimeout: timeoutMs,
    ...(deadlineMs === null ? {} : { scheduleToCloseTimeout: deadlineMs }),
    summary,
    cancellationType: awaitWhenCancelled ? 'WAIT_CANCELLATION_COMPLETED' : 'TRY_CANCEL',
  };
}

function regularOptions(order: CommandOrder, activityId: string): ActivityOptions {
  const { heartbeatMs, taskQueue, priority } = order;
  return {
    ...sharedOptions(order),
    activityId,
    ...(heartbeatMs === null ? {} : { heartbeatTimeout: heartbeatMs }),
    ...(taskQueue === null ? {} : { taskQueue }),
    ...(priority === null ? {} : { priority: { priorityKey: priority } }),
  };
}

function headerOf(order: CommandOrder, of: RecordsOf, activityId: string): CommandHeader {
  const { version, retry, rollback, secrets, local } = order;
  return {
    ...(version === DEFAULT_COMMAND_VERSION ? {} : { v: version }),
    ...(of.version === null ? {} : { d: of.version }),
    ...(retry.jitter === DEFAULT_JITTER ? {} : { j: retry.jitter }),
    ...(rollback ? { u: 1 as const } : {}),
    ...(secrets.length === 0 ? {} : { s: secrets }),
    ...(local ? { i: activityId } : {}),
  };
}
