/**
 * A run's records, made again from its history: the same walk over the same history tells the same story.
 */
import type { CommandRecord, RunRecord } from '../definitions/records.ts';
import type { AttemptRecord, RecordBatch } from '../store/index.ts';
import type { RecordsOf } from '../workflows/temporal/wire.ts';
import { toBatch } from './projection.ts';
import type { Replayer, Told } from './replayer.ts';
import { type AttemptCount, type History, localAttempts, regularAttempts } from './run-history.ts';

export interface RebuiltRecords {
  readonly batch: RecordBatch;
  readonly attempts: readonly AttemptRecord[];
}

/**
 * Replays all histories of one run.
 * @throws when a history does not replay with this release's interpreter: then nothing may be concluded from it
 */
export async function rebuildRecords(
  replayer: Replayer,
  run: { readonly workflowId: string; readonly histories: readonly History[] },
): Promise<RebuiltRecords | null> {
  let first: RecordsOf | null = null;
  const records: RunRecord[] = [];
  const attempts: AttemptRecord[] = [];
  for (const history of run.histories) {
    const told = await replayer.replay(run.workflowId, history);
    if (told === null) continue;
    first ??= told.of;
    records.push(...told.records);
    attempts.push(...attemptsOf(told, history));
  }
  return first === null ? null : { batch: toBatch(records, first), attempts };
}

function attemptsOf({ of, records }: Told, history: History): AttemptRecord[] {
  const regular = regularAttempts(history);
  const local = localAttempts(history);
  const { tenant, runId } = of;
  return [...commandsOf(records).values()].flatMap(({ commandId, type }) => {
    const known = regular.get(commandId.slice(runId.length + 1)) ?? takeLocal(local, type);
    return known ? [{ tenant, runId, commandId, attempt: known.attempt, at: known.at }] : [];
  });
}

/** The latest record of each command, in the order in which the commands were given. */
function commandsOf(records: readonly RunRecord[]): Map<number, CommandRecord> {
  const commands = new Map<number, CommandRecord>();
  for (const line of records) if (line.kind === 'command') commands.set(line.seq, line);
  return commands;
}

function takeLocal(local: (AttemptCount & { readonly type: string })[], type: string): AttemptCount | undefined {
  const index = local.findIndex((marker) => marker.type === type);
  return index < 0 ? undefined : local.splice(index, 1)[0];
}
