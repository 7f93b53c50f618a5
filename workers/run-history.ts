/**
 * A run's whole history, execution by execution, and the attempts of its commands as the events tell them.
 */
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { RUN_ACTIVITIES } from '../definitions/wire.ts';

export type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The histories of a run, oldest first: each continue-as-new begins another one. */
export async function fetchRunHistories(
  client: Client,
  workflowId: string,
  firstExecutionRunId: string,
): Promise<History[]> {
  const histories: History[] = [];
  let next: string | null | undefined = firstExecutionRunId;
  while (next) {
    const history: History = await client.workflow.getHandle(workflowId, next).fetchHistory();
    histories.push(history);
    next = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return histories;
}

/** How often a command was attempted in one history, and when the last attempt began. */
export interface AttemptCount {
  readonly attempt: number;
  readonly at: number;
}

/** Attempts by activity id (the command id without the run id) of the commands that ran as regular activities. */
export function regularAttempts({ events }: History): Map<string, AttemptCount> {
  const idByEvent = new Map<string, string>();
  const attempts = new Map<string, AttemptCount>();
  for (const event of events ?? []) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityId) idByEvent.set(String(event.eventId), scheduled.activityId);
    const started = event.activityTaskStartedEventAttributes;
    const activityId = started && idByEvent.get(String(started.scheduledEventId));
    if (started && activityId) attempts.set(activityId, { attempt: started.attempt ?? 1, at: millis(event.eventTime) });
  }
  return attempts;
}

/** Attempts of the commands that ran as local activities, in the order in which they were ordered. */
export function localAttempts({ events }: History): (AttemptCount & { readonly type: string })[] {
  const markers = (events ?? [])
    .flatMap(readLocalMarker)
    .filter(({ type }) => !RUN_ACTIVITIES.has(type))
    .sort((one, other) => one.seq - other.seq);
  const last = new Map<string, LocalMarker>();
  for (const marker of markers) last.set(`${marker.type} ${marker.since}`, marker);
  return [...last.values()];
}

/** Each attempt leaves a marker; those of one command have the moment in common at which it was ordered. */
type LocalMarker = AttemptCount & { readonly type: string; readonly seq: number; readonly since: string };

interface MarkerData {
  readonly seq: number;
  readonly attempt: number;
  readonly activity_type: string;
  readonly original_schedule_time?: unknown;
}

function readLocalMarker(event: HistoryEvent): LocalMarker[] {
  const marker = event.markerRecordedEventAttributes;
  if (marker?.markerName !== 'core_local_activity') return [];
  const payload = marker.details?.['data']?.payloads?.[0];
  if (!payload) return [];
  const data = defaultPayloadConverter.fromPayload<MarkerData>(payload);
  const { seq, attempt, activity_type: type, original_schedule_time: since } = data;
  return [{ seq, attempt, type, since: JSON.stringify(since ?? seq), at: millis(event.eventTime) }];
}

function millis(time: HistoryEvent['eventTime']): number {
  return time ? Number(time.seconds ?? 0) * 1000 + Math.floor((time.nanos ?? 0) / 1_000_000) : 0;
}
