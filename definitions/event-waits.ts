/**
 * What passes between a run that waits for an event and the store.
 */
import type { Correlation } from './correlation.ts';
import type { CloudEvent, Json } from './types.ts';

/** What a run waits for. */
export interface WaitRegistration {
  /** `<run id>/<path><node id>/<visit>`. */
  readonly waitId: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly types: readonly string[];
  readonly correlation: Correlation;
  /** The correlation as people may see it. */
  readonly shown: { readonly [path: string]: Json };
  /** Text of the filter that the run itself will ask. */
  readonly filter: string | null;
  /** Events accepted before it are not meant, in ms since 1970; `null`: those from before the run began. */
  readonly since: number | null;
  readonly runStartedAt: number;
  /** Earlier waits of the run that are over, and the event that each took. */
  readonly ended: readonly EndedWait[];
  /** `next` of the answer before; `null`: from the first. */
  readonly after: string | null;
}

export interface EndedWait {
  readonly waitId: string;
  /** Id of the event that ended it. */
  readonly took: string | null;
}

export interface WaitAnswer {
  /** Those that are there already, in order of arrival. */
  readonly events: readonly ArrivedEvent[];
  /** There may be more behind it; `null`: that was all. */
  readonly next: string | null;
}

export interface ArrivedEvent {
  readonly event: CloudEvent;
  /** When it was accepted, in ms since 1970. */
  readonly at: number;
}
