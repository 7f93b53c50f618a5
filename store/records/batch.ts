/**
 * What workers hand over to be recorded.
 */
import type { RunRecord } from '../../definitions/records.ts';
import type { Entity, Initiator, Json } from '../../definitions/types.ts';

/** Records of one run. Several batches of one run may stand in one call. */
export interface RecordBatch {
  readonly tenant: string;
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  /** What the run began with; enough to send it once, since what is known stays. */
  readonly start?: RunStartFacts;
  /** The run's variables as they are now. */
  readonly vars?: { readonly [name: string]: Json };
  readonly records: readonly RunRecord[];
}

export interface RunStartFacts {
  readonly hash: string | null;
  readonly input: Json;
  readonly eventId: string | null;
  readonly initiator: Initiator;
  readonly entity: Entity | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Temporal's own id of the run's first execution. */
  readonly temporalRunId: string | null;
}

/** One attempt of a command, as the worker that calls the handler sees it. */
export interface AttemptRecord {
  readonly tenant: string;
  readonly runId: string;
  readonly commandId: string;
  /** From 1. */
  readonly attempt: number;
  /** When this attempt began: milliseconds since 1970. */
  readonly at: number;
}
