/**
 * A history cut wherever a worker may have died: each beginning is replayed and has to tell what the whole tells.
 *
 * Invariants:
 * 1. A cut stands behind what a workflow task asked for and before the next task, as Temporal keeps it for a run that is
 *    open.
 * 2. What a beginning tells is a beginning of what the whole tells, records and their payloads alike.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../definitions/records.ts';
import type { Replayer } from '../../workers/replayer.ts';
import type { History } from '../../workers/run-history.ts';

type HistoryEvent = NonNullable<History['events']>[number];

/** The beginnings of a history, shortest first; the last is the whole. */
export function beginningsOf({ events }: History): History[] {
  const all = events ?? [];
  const isEnd = (event: HistoryEvent, index: number): boolean => {
    const next = all[index + 1];
    return isAnswer(event) && !(next && isAnswer(next) && !next.workflowTaskCompletedEventAttributes);
  };
  return all.flatMap((event, index) => (isEnd(event, index) ? [{ events: all.slice(0, index + 1) }] : []));
}

/** Whether an event is what a workflow task answered: that it is done, and what it asked for. */
function isAnswer(event: HistoryEvent): boolean {
  return (
    Boolean(event.workflowTaskCompletedEventAttributes) ||
    Boolean(event.workflowExecutionUpdateAcceptedEventAttributes) ||
    Boolean(event.workflowExecutionUpdateCompletedEventAttributes) ||
    Object.values(event).some((attributes) =>
      Boolean((attributes as Partial<Answer> | null)?.workflowTaskCompletedEventId),
    )
  );
}

interface Answer {
  readonly workflowTaskCompletedEventId: unknown;
}

/** Replays every beginning, at most `most` of them, evenly spread. @throws Error naming the first that tells another story */
export async function replayCuts(
  replayer: Replayer,
  {
    workflowId,
    history,
    most = Infinity,
  }: { readonly workflowId: string; readonly history: History; readonly most?: number },
): Promise<number> {
  const whole = await storyOf(replayer, workflowId, history);
  const all = beginningsOf(history);
  const step = Math.max(1, Math.ceil(all.length / most));
  const cuts = all.filter((_, index) => index % step === 0);
  for (const cut of cuts) {
    const told = await storyOf(replayer, workflowId, cut);
    const at = told.findIndex((record, index) => !isDeepStrictEqual(record, whole[index]));
    if (at < 0) continue;
    const where = `${workflowId} cut at event ${cut.events?.length}, record ${at}`;
    throw new Error(`${where}: ${JSON.stringify(told[at])}, not ${JSON.stringify(whole[at])}`);
  }
  return cuts.length;
}

/** What the walk tells over a history: state, visits and commands with what they were given. */
export async function storyOf(replayer: Replayer, workflowId: string, history: History): Promise<readonly RunRecord[]> {
  return (await replayer.replay(workflowId, history))?.records ?? [];
}
