/**
 * The shapes that pass between the interpreter workflow, its workers and its clients; the names are in
 * `definitions/wire.ts`.
 */
import type { RunRecord } from '../../definitions/records.ts';
import type { Initiator, Json } from '../../definitions/types.ts';
import type { CancelRequest } from '../checkpoint.ts';
import type { DefinitionReference, DefinitionVersion, RunStart } from '../start.ts';

/** The argument of the interpreter workflow. */
export type WireStart = Omit<RunStart, 'definition'> & {
  readonly definition: DefinitionVersion | DefinitionReference;
  /** Events of one history after which the run rolls over; default: when Temporal suggests it. */
  readonly rolloverEvents?: number;
};

/** What the local activity `LOAD_DEFINITION` is asked for, and what it gives. */
export type LoadRequest = DefinitionReference & { readonly tenant: string };
export type LoadedDefinition = Pick<DefinitionVersion, 'document' | 'handlers'>;

/** What the `cancel` signal carries. */
export type CancelSignal = Partial<Pick<CancelRequest, 'reason' | 'by'>>;

/** Whose records they are, and, with the first of a run, what it began with. */
export interface RecordsOf {
  readonly tenant: string;
  readonly runId: string;
  readonly definitionId: string;
  readonly version: number | null;
  readonly start?: {
    readonly hash: string;
    readonly input: Json;
    readonly eventId: string | null;
    readonly initiator: Initiator;
    readonly entity: RunStart['run']['entity'];
    readonly startedAt: number;
    readonly temporalRunId: string;
  };
}

/** The sink by which records leave the workflow; as a type, since the sandbox's proxy wants an index signature. */
export type RecordSinks = {
  readonly fermata: { records(batch: readonly RunRecord[], of: RecordsOf): void };
};
