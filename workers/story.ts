/**
 * What runs do in this worker, told line by line as it happens: for the log of `fermata dev`, or of an application.
 *
 * What it is not: a record. What another worker does is not heard, and what is lost here is lost; the rows have it all.
 *
 * Invariant: a run's beginning and end are told once, however many histories it goes through.
 */
import type { InjectedSinks } from '@temporalio/worker';
import type { AttemptListener, AttemptReport } from '../activities/index.ts';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { RunRecord } from '../definitions/records.ts';
import type { RecordSinks, RecordsOf } from '../workflows/temporal/wire.ts';

export type StoryLine =
  | {
      readonly kind: 'run';
      readonly runId: string;
      readonly definitionId: string;
      readonly version: number | null;
      readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
      readonly error: ErrorInfo | null;
    }
  | {
      /** An attempt that failed. */
      readonly kind: 'attempt';
      readonly commandId: string;
      readonly command: string;
      readonly attempt: number;
      readonly error: { readonly type: string; readonly message: string };
      /** `null`: only the server knows. */
      readonly willRetry: boolean | null;
    };

export type StoryListener = (line: StoryLine) => void;

/** What a worker reports to, and what it is to report to where somebody listens to the story too. */
export interface Reports {
  readonly sinks: InjectedSinks<RecordSinks>;
  readonly onAttempt: AttemptListener;
}

export function withStory({ sinks, onAttempt }: Reports, tell: StoryListener): Reports {
  const { records: kept } = sinks.fermata;
  return {
    sinks: {
      fermata: {
        records: {
          ...kept,
          fn: (info, records, of) => {
            for (const record of records) tellRecord(record, of, tell);
            return kept.fn(info, records, of);
          },
        },
      },
    },
    onAttempt: (report) => {
      tellAttempt(report, tell);
      onAttempt(report);
    },
  };
}

function tellRecord(record: RunRecord, { runId, definitionId, version }: RecordsOf, tell: StoryListener): void {
  if (record.kind !== 'state' || record.state === 'paused' || record.state === 'pending') return;
  tell({ kind: 'run', runId, definitionId, version, state: record.state, error: record.error ?? null });
}

function tellAttempt({ phase, commandId, type, attempt, error, willRetry }: AttemptReport, tell: StoryListener): void {
  if (phase !== 'failed' || error === null) return;
  tell({ kind: 'attempt', commandId, command: type, attempt, error, willRetry });
}
