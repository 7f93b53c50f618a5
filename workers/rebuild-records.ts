/**
 * A run's records, made again from its history: the same walk over the same history tells the same story.
 */
import { Worker } from '@temporalio/worker';
import type { CommandRecord, RunRecord } from '../definitions/records.ts';
import type { AttemptRecord, RecordBatch } from '../store/index.ts';
import type { RecordsOf } from '../workflows/temporal/wire.ts';
import { toBatch } from './projection.ts';
import { type AttemptCount, type History, localAttempts, regularAttempts } from './run-history.ts';

export interface RebuiltRecords {
  readonly batch: RecordBatch;
  readonly attempts: readonly AttemptRecord[];
}

interface Told {
  readonly of: RecordsOf;
  readonly records: RunRecord[];
}

/**
 * Replays all histories of one run.
 * @throws when a history does not replay with this release's interpreter: then nothing may be concluded from it
 */
export async function rebuildRecords(
  code: string,
  run: { readonly workflowId: string; readonly histories: readonly History[] },
): Promise<RebuiltRecords | null> {
  const told: Told[] = [];
  const records: RunRecord[] = [];
  let current: Told | null = null;
  const sinks = {
    fermata: {
      records: {
        fn: (_info: unknown, batch: readonly RunRecord[], of: RecordsOf) => {
          current ??= { of, records: [] };
          current.records.push(...batch);
        },
        callDuringReplay: true,
      },
    },
  };
  const attempts: AttemptRecord[] = [];
  for (const history of run.histories) {
    current = null;
    await Worker.runReplayHistory({ workflowBundle: { code }, sinks }, history, run.workflowId);
    const part = current as Told | null;
    if (part === null) continue;
    told.push(part);
    records.push(...part.records);
    attempts.push(...attemptsOf(part, history));
  }
  const first = told[0];
  return first === undefined ? null : { batch: toBatch(records, first.of), attempts };
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
