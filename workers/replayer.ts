/**
 * A replayer: walks recorded histories again with this release's interpreter, one after the other.
 *
 * What it is: one replay worker for many histories, since making one costs more than a second and a history some
 * milliseconds.
 *
 * Invariants:
 * 1. One history at a time; calls wait for their turn.
 * 2. A history that does not replay spoils none after it.
 */
import { PassThrough } from 'node:stream';
import { type ReplayResult, Worker } from '@temporalio/worker';
import type { RunRecord } from '../definitions/records.ts';
import type { RecordsOf } from '../workflows/temporal/wire.ts';
import type { History } from './run-history.ts';

/** What the walk told while a history was replayed. */
export interface Told {
  readonly of: RecordsOf;
  readonly records: readonly RunRecord[];
}

export interface Replayer {
  /**
   * What the walk tells over this history; `null`: nothing.
   * @throws when it does not replay: then nothing may be concluded from it
   */
  replay(workflowId: string, history: History): Promise<Told | null>;
  close(): Promise<void>;
}

/** @param code The workflow bundle's. Nothing is started before the first history. */
export function openReplayer(code: string): Replayer {
  let of: RecordsOf | null = null;
  let records: RunRecord[] = [];
  const sinks = {
    fermata: {
      records: {
        fn: (_info: unknown, batch: readonly RunRecord[], whose: RecordsOf) => {
          of ??= whose;
          records.push(...batch);
        },
        callDuringReplay: true,
      },
    },
  };
  const feed = new PassThrough({ objectMode: true });
  const results: AsyncIterator<ReplayResult> = Worker.runReplayHistories({ workflowBundle: { code }, sinks }, feed);
  const replay = async (workflowId: string, history: History): Promise<Told | null> => {
    of = null;
    records = [];
    feed.write({ workflowId, history });
    const next = await results.next();
    if (next.done) throw new Error('the replay worker has ended');
    if (next.value.error) throw next.value.error;
    return of === null ? null : { of, records };
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    replay(workflowId, history) {
      const mine = turn.then(() => replay(workflowId, history));
      turn = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      feed.end();
      await results.return?.();
    },
  };
}
