/**
 * What a handler is given beside its input: who it works for, how to stop, how to say that it lives, its secrets.
 */
import type { Json } from '../definitions/types.ts';

/** The run that ordered the command. */
export interface CommandRun {
  /** The run's id, which is its Temporal workflow id. */
  readonly id: string;
  readonly definitionId: string;
  /** Version of the definition; `null` where the walker did not tell. */
  readonly version: number | null;
  /** `default` where nobody says otherwise. */
  readonly tenant: string;
}

/** Writes to the worker's log with the run, command and attempt added. Secrets of the attempt are masked. */
export interface CommandLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export interface CommandContext {
  /**
   * The command id, `<run id>/<path>/<node id>/<visit>`: the same for every attempt of one visit, so that a peer that
   * keeps it does the work once. A rollback has its own, which ends in `/undo`.
   */
  readonly idempotencyKey: string;
  /** In a rollback: the idempotency key of the command that it takes back. Otherwise `null`. */
  readonly undoes: string | null;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly run: CommandRun;
  /**
   * Aborted when the attempt is cancelled, timed out, or the worker shuts down. A regular command hears of a cancel only
   * while it calls {@link CommandContext.heartbeat}; a `local` one always does.
   */
  readonly signal: AbortSignal;
  /**
   * Says that the attempt lives and how far it is. Cheap: the SDK sends at most one about every 0.8 of the heartbeat limit.
   *
   * @throws RunError `OUTPUT_INVALID` or `PAYLOAD_TOO_LARGE` for details that are no JSON or over 256 KiB.
   */
  readonly heartbeat: (details?: unknown) => void;
  /** Details of the last heartbeat that the server had from the attempt before; `undefined` where there is none. */
  readonly heartbeatDetails: Json | undefined;
  readonly log: CommandLog;
  /**
   * The value of a secret, from then on masked in this attempt's errors, logs, heartbeats and output.
   *
   * @throws CommandError `SECRET_NOT_FOUND` or `SECRET_INVALID`, not retryable.
   */
  readonly secret: (name: string) => Promise<string>;
}
