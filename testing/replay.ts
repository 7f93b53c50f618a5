/**
 * Replay of recorded histories: does this release still walk them in the same way?
 *
 * What it is: what a user's test runs before a deploy, over histories fetched from production or kept as files.
 * What it is not: a simulation; nothing runs but the walk.
 *
 * Invariants:
 * 1. Beside the order of commands, which Temporal checks, it compares what commands were given and how the run ended,
 *    which Temporal does not see.
 * 2. Every history is replayed, whatever became of the one before.
 */
import { readFile } from 'node:fs/promises';
import { defaultPayloadConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type { CommandRecord, StateRecord } from '../definitions/records.ts';
import type { Json } from '../definitions/types.ts';
import { RUN_ACTIVITIES } from '../definitions/wire.ts';
import { workflowBundlePath } from '../workers/bundle.ts';
import { openReplayer, type Replayer, type Told } from '../workers/replayer.ts';

export interface RecordedHistory {
  /** The run id. */
  readonly workflowId: string;
  /** As `temporal workflow show --output json`, the Web UI's download or the SDK's `historyToJSON` give it. */
  readonly history: unknown;
}

/** Something that the walk did otherwise than the history says. */
export interface ReplayDifference {
  /** A command id without the run id, or `result`. */
  readonly at: string;
  readonly recorded: Json;
  readonly replayed: Json;
}

export interface ReplayedHistory {
  readonly workflowId: string;
  /** Why it does not replay: the walk asked Temporal for something else, or failed. `null`: it does. */
  readonly error: Error | null;
  readonly differences: readonly ReplayDifference[];
}

type History = ReturnType<typeof historyFromJSON>;
type HistoryEvent = NonNullable<History['events']>[number];

/**
 * Replays histories with this release's interpreter.
 * @example
 * for (const { workflowId, error, differences } of await replayHistories(histories)) {
 *   expect({ workflowId, error, differences }).toEqual({ workflowId, error: null, differences: [] });
 * }
 */
export async function replayHistories(histories: Iterable<RecordedHistory>): Promise<ReplayedHistory[]> {
  const replayer = openReplayer(await readFile(await workflowBundlePath(), 'utf8'));
  const replayed: ReplayedHistory[] = [];
  try {
    for (const { workflowId, history } of histories) {
      replayed.push(await replayOne(replayer, workflowId, historyFromJSON(history)));
    }
  } finally {
    await replayer.close();
  }
  return replayed;
}

/** Replays one history on a replayer that is there. */
export async function replayOne(replayer: Replayer, workflowId: string, history: History): Promise<ReplayedHistory> {
  try {
    const told = await replayer.replay(workflowId, history);
    return { workflowId, error: null, differences: differencesOf(history, told) };
  } catch (error) {
    return { workflowId, error: error as Error, differences: [] };
  }
}

function differencesOf({ events }: History, told: Told | null): ReplayDifference[] {
  const payloads = payloadsById(told);
  const recorded = (events ?? []).flatMap((event) => recordedValue(event));
  return recorded.flatMap(({ at, value }) => {
    const replayed = at === RESULT ? resultOf(told) : (payloads.get(at) ?? null);
    return JSON.stringify(replayed) === JSON.stringify(value) ? [] : [{ at, recorded: value, replayed }];
  });
}

const RESULT = 'result';

function recordedValue(event: HistoryEvent): { readonly at: string; readonly value: Json }[] {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled && !RUN_ACTIVITIES.has(scheduled.activityType?.name ?? '')) {
    return [{ at: scheduled.activityId ?? '', value: read(scheduled.input?.payloads?.[0]) }];
  }
  const completed = event.workflowExecutionCompletedEventAttributes;
  if (completed) return [{ at: RESULT, value: read(completed.result?.payloads?.[0]) }];
  const failed = event.workflowExecutionFailedEventAttributes?.failure?.applicationFailureInfo;
  return failed ? [{ at: RESULT, value: read(failed.details?.payloads?.[0]) }] : [];
}

/** What the walk gave to the activity of each command, by activity id. */
function payloadsById(told: Told | null): Map<string, Json> {
  const commands = (told?.records ?? []).filter((record): record is CommandRecord => record.kind === 'command');
  const prefix = `${told?.of.runId}/`;
  return new Map(commands.map(({ commandId, payload }) => [commandId.slice(prefix.length), payload]));
}

/** The output of a run that completed, the error of one that did not. */
function resultOf(told: Told | null): Json {
  const last = told?.records.findLast((record): record is StateRecord => record.kind === 'state');
  if (last === undefined) return null;
  return last.state === 'completed' ? (last.output ?? null) : ((last.error ?? null) as Json);
}

function read(payload: Parameters<typeof defaultPayloadConverter.fromPayload>[0] | undefined): Json {
  return payload === undefined ? null : defaultPayloadConverter.fromPayload<Json>(payload);
}
