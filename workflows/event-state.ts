/**
 * The plain state of a run's waits for events, and of the events that reached it.
 */
import type { Correlation } from '../definitions/correlation.ts';
import type { ArrivedEvent, EndedWait } from '../definitions/event-waits.ts';
import type { MissedEvent } from '../definitions/records.ts';
import type { CloudEvent } from '../definitions/types.ts';

/** Events of a run beside those that its waits have taken. */
export interface EventInbox {
  /** Those that no wait has taken, in order of arrival. */
  readonly kept: ArrivedEvent[];
  /** Ids of those that were taken, the latest last. */
  readonly taken: string[];
  /** Waits that are over, of which the store has not been told. */
  readonly ended: EndedWait[];
}

/** An open wait for an event. */
export interface EventState {
  readonly kind: 'event';
  readonly waitId: string;
  readonly types: readonly string[];
  readonly correlation: Correlation;
  /** Events that arrived before it are not meant; `null`: those from before the run. */
  readonly since: number | null;
  readonly timeoutAt: number | null;
  /** All that arrived until then has been told by the store, in ms since 1970; `null`: all that there is. */
  known: number | null;
  /** There is something new in the store. */
  stale: boolean;
  /** How far the store has told. */
  after: string | null;
  taken: CloudEvent | null;
  /** The latest events that its filter did not let through. */
  missed: readonly MissedEvent[];
}
