/**
 * Names that pass between runs, workers and clients over Temporal.
 *
 * Signals, updates and queries take and give small readable JSON, so that people can send them from the dialogs of the
 * Temporal Web UI.
 */

/** Signal and update: a decision on an approval. */
export const DECIDE = 'decide';
/** Signal and update: a task is claimed, released, delegated or commented (`TaskRequest`). */
export const TASK = 'task';
/** What a decision or request says beside itself, as second argument. */
export interface DoorDelivery {
  /** Where it came in, for the audit. Default: `update` or `signal`. */
  readonly door?: string;
}
/** Signal: stop the run, `{ reason, by }`; a plain cancel through Temporal works too. */
export const CANCEL = 'cancel';
/** Signal: an event for waits of the run: the envelope, and with it `EventDelivery`. */
export const EVENT = 'event';
/** Query: where the run is (`RunView`). */
export const STATE = 'state';
/** Local activity that loads a version by `{ id, version, hash }`. */
export const LOAD_DEFINITION = 'fermata.loadDefinition';
/** Local activity that answers a question about time (`time/question.ts`). */
export const RESOLVE_TIME = 'fermata.resolveTime';
/** Activity that registers a wait for an event, and gives the events that are there already. */
export const REGISTER_WAIT = 'fermata.registerWait';
/** Activity that publishes an event. */
export const EMIT = 'fermata.emit';
/** Activity that tells the worker's `notify` hook what people should know of an approval. */
export const NOTIFY = 'fermata.notify';
/** Local activity that registers a run begun by a run, and chooses its version. */
export const BEGIN_CHILD = 'fermata.beginChild';
/** Activity that waits for a run which a repeated start found to be there already. */
export const AWAIT_CHILD = 'fermata.awaitChild';
/** Activities by which a run asks its worker for something; all others are commands. */
export const RUN_ACTIVITIES: ReadonlySet<string> = new Set([
  LOAD_DEFINITION,
  RESOLVE_TIME,
  REGISTER_WAIT,
  EMIT,
  BEGIN_CHILD,
  AWAIT_CHILD,
  NOTIFY,
]);
/** What an `event` signal says beside the event. */
export interface EventDelivery {
  /** When the event was accepted, ISO 8601. Default: when the signal is handled. */
  readonly at?: string;
  /** The event is larger than a signal should be: its `data` is left out, and the run looks it up. */
  readonly lookUp?: true;
}

/** Task queue of workers and runs where nothing else is said. */
export const TASK_QUEUE = 'fermata';
/** Tenant where nobody says otherwise; the only one that run ids do not name. */
export const DEFAULT_TENANT = 'default';

/** Share of the retry interval by which a wait may differ, where no policy says another. */
export const DEFAULT_JITTER = 0.2;

/** Header field from walker to activity. */
export const COMMAND_HEADER = 'fermata';

/**
 * What is not default about a command: compact JSON in the header field, absent where all is default. Keys are short
 * since every activity event carries them; unknown ones are ignored, so that an older worker understands a newer walker.
 */
export interface CommandHeader {
  /** Version of the handler; default `DEFAULT_COMMAND_VERSION`. */
  readonly v?: number;
  /** Version of the definition. */
  readonly d?: number;
  /** Share of the retry interval by which a wait may differ; default {@link DEFAULT_JITTER}. */
  readonly j?: number;
  /** A rollback, whose one argument is `{ input, output }`. */
  readonly u?: 1;
  /** JSON pointers into the payload (of a rollback: into its input) at which a reference to a secret stands. */
  readonly s?: readonly string[];
  /** Command id without the run id, where the activity id cannot carry it (local activities). */
  readonly i?: string;
}
