/**
 * The shapes that pass between the interpreter workflow, its workers and its clients; the names are in
 * `definitions/wire.ts`.
 */
import type { WaitRegistration } from '../../definitions/event-waits.ts';
import type { RunRecord } from '../../definitions/records.ts';
import type { Initiator, Json } from '../../definitions/types.ts';
import type { CancelRequest } from '../checkpoint.ts';
import type { ChildOrder, EmitOrder, Notice } from '../orders.ts';
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

/** What the local activity `BEGIN_CHILD` is asked for, and what it gives. */
export interface ChildRequest {
  readonly run: ChildOrder['run'];
  readonly definitionId: string;
  /** `null`: the active one. */
  readonly version: number | null;
  readonly input: Json;
  readonly taskQueue: string | null;
}
export type RegisteredChild =
  | {
      readonly kind: 'start';
      readonly definition: DefinitionVersion | DefinitionReference;
      readonly entity: RunStart['run']['entity'];
      /** Whole, where values of it are kept outside the history of the run that begins it. */
      readonly input?: Json;
    }
  /** It waits for its key, and workers begin it in its turn; or another run, which is there already, stands for it. */
  | ({ readonly kind: 'elsewhere'; readonly version: number | null } & ChildToAwait);

/** What the activity `AWAIT_CHILD` is asked for. */
export interface ChildToAwait {
  readonly runId: string;
  readonly tenant: string;
  /** Whether it is cancelled with the run that waits for it. */
  readonly own: boolean;
  /** It is a run, with a row in the store. */
  readonly stored: boolean;
  /** It is to be cancelled, whatever becomes of the wait. */
  readonly cancel?: true;
}

/** What the activities `REGISTER_WAIT` and `EMIT` are asked for. */
export type WaitRequest = WaitRegistration & { readonly tenant: string };
export type EmitRequest = Omit<EmitOrder, 'summary'> & { readonly tenant: string };

/** What the activity `NOTIFY` is asked for. */
export type NotifyRequest = Notice & { readonly tenant: string; readonly definitionId: string };

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
