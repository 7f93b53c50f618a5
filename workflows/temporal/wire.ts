/**
 * What passes between the interpreter workflow, its workers and its clients: names and shapes, one place.
 *
 * Signals, updates and queries take and give small readable JSON, so that people can send them from the dialogs of the
 * Temporal Web UI.
 */
import type { RunRecord } from '../../definitions/records.ts';
import type { CancelRequest } from '../checkpoint.ts';
import type { DefinitionReference, DefinitionVersion, RunStart } from '../start.ts';

/** Signal and update: a decision on an approval. */
export const DECIDE = 'decide';
/** Signal: stop the run, `{ reason, by }`; a plain cancel through Temporal works too. */
export const CANCEL = 'cancel';
/** Query: where the run is (`RunView`). */
export const STATE = 'state';
/** Local activity that loads a version by `{ id, hash }`. */
export const LOAD_DEFINITION = 'fermata.loadDefinition';
/** Header field from walker to activity. */
export const HEADER = 'fermata';

/** The argument of the interpreter workflow. */
export type WireStart = Omit<RunStart, 'definition'> & {
  readonly definition: DefinitionVersion | DefinitionReference;
  /** Events of one history after which the run rolls over; default: when Temporal suggests it. */
  readonly rolloverEvents?: number;
};

/** What is not default about a command; keys are short since every activity event carries them. */
export interface CommandHeader {
  /** Version of the handler; default 1. */
  readonly v?: number;
  /** Version of the definition. */
  readonly d?: number;
  /** Jitter; default 0.2. */
  readonly j?: number;
  /** A rollback. */
  readonly u?: 1;
  /** Command id without the run id, where the activity id cannot carry it (local activities). */
  readonly i?: string;
}

/** What the `cancel` signal carries. */
export type CancelSignal = Partial<Pick<CancelRequest, 'reason' | 'by'>>;

/** The sink by which records leave the workflow; as a type, since the sandbox's proxy wants an index signature. */
export type RecordSinks = {
  readonly fermata: { records(batch: readonly RunRecord[]): void };
};
