/**
 * What whoever publishes an event is told: per definition that takes it the run, or why there is none and how to go on.
 *
 * Invariant: every delivery of an event names the same definitions, versions and runs. What a run's start has come to,
 * and which this delivery began, is told beside it; so is what waiting runs had of it.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { ErrorCode } from '../definitions/error-codes.ts';
import type { Delivery } from '../store/index.ts';
import type { NotMatchedDefinition } from './event-starts.ts';
import type { FinishedEvent } from './finish-event.ts';
import type { WaitingRun } from './waiting-runs.ts';

export interface PublishedEvent {
  readonly eventId: string;
  /** Whether this delivery was the first. */
  readonly created: boolean;
  /** One per definition that matched, by definition id; the same for every delivery. */
  readonly runs: readonly EventRun[];
  /** Ids of the runs that were pending until this delivery; each run is in one answer only. */
  readonly began: readonly string[];
  /** Only while Temporal cannot be reached: the event is stored, and these runs begin once it is back. */
  readonly pending?: PendingRuns;
  /** Definitions that listen to this type and did not take the event: the first 100, by definition id. */
  readonly notMatched: readonly NotMatchedDefinition[];
  /** Waits of runs that it was delivered to, the first 100; where there are none, the first delivery names 20 that it missed. */
  readonly waits: readonly WaitingRun[];
}

export interface PendingRuns {
  readonly runs: readonly string[];
  /** Why they have not begun, and what begins them. */
  readonly message: string;
}

export interface EventRun {
  readonly definitionId: string;
  readonly version: number;
  /** `null` where the start was refused. */
  readonly runId: string | null;
  /**
   * `pending`: accepted, and it begins once Temporal is back. `queued`: it waits for its key. `joined`: another run has
   * the key, and this is that run.
   */
  readonly status: 'started' | 'pending' | 'queued' | 'joined' | 'refused';
  /** Why it was refused. */
  readonly error?: EventRefused;
}

/** A start that was refused for good: the event's id is used up for this definition. */
export interface EventRefused extends ErrorInfo {
  /** What a start by hand is refused with for the same reason. */
  readonly code: ErrorCode;
  /** How to go on. */
  readonly remedy: string;
}

export function toAnswer(
  { event, began, failure }: FinishedEvent,
  beside: { readonly created: boolean; readonly waits: readonly WaitingRun[] },
): PublishedEvent {
  const { event: envelope, deliveries, unmatched } = event;
  const left = deliveries.flatMap(({ status, runId }) => (status === 'pending' && runId !== null ? [runId] : []));
  return {
    eventId: envelope.id,
    created: beside.created,
    runs: deliveries.map(toRun),
    began,
    ...(failure === null ? {} : { pending: { runs: left, message: failure.message } }),
    notMatched: unmatched as readonly NotMatchedDefinition[],
    waits: beside.waits,
  };
}

function toRun({ definitionId, version, runId, status, error }: Delivery): EventRun {
  if (error === null) return { definitionId, version, runId, status };
  return { definitionId, version, runId: null, status: 'refused', error: refusal(definitionId, error) };
}

function refusal(definitionId: string, error: ErrorInfo): EventRefused {
  const byHand = `or start the run by hand: \`fermata runs start ${definitionId} --input …\`.`;
  if (error.type === 'RUN_KEY_TAKEN') {
    const remedy = `Publish the event under a new id when that run has ended, since this id starts nothing more; ${byHand}`;
    return { ...error, code: 'run.key_taken', remedy };
  }
  const code: ErrorCode = error.type === 'PAYLOAD_TOO_LARGE' ? 'input.too_large' : 'run.input_invalid';
  const remedy = `Correct the event, or the definition "${definitionId}", and publish the event under a new id, since this id starts nothing more; ${byHand}`;
  return { ...error, code, remedy };
}
