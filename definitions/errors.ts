/**
 * Errors of runs and nodes, in the shape that definitions see (`error`, `nodes.<id>.error`).
 */
import type { Json } from './types.ts';

/** An error of a run or node. `type` is UPPER_SNAKE: one of {@link RunErrorType} or a handler's own. */
export interface ErrorInfo {
  readonly type: string;
  readonly message: string;
  readonly nodeId: string | null;
  /** Branch and item segments of the scope in which it happened; absent at the top. */
  readonly path?: string;
  readonly details?: Json;
  readonly cause?: ErrorInfo | null;
}

/** The built-in error types (`docs/language.md`, section 6). */
export type RunErrorType =
  | 'TIMEOUT'
  | 'DEADLINE'
  | 'RUN_TIMEOUT'
  | 'HANDLER_NOT_FOUND'
  | 'INPUT_INVALID'
  | 'OUTPUT_INVALID'
  | 'EXPRESSION_ERROR'
  | 'NO_MATCH'
  | 'CHILD_FAILED'
  | 'CANCELLED'
  | 'PAYLOAD_TOO_LARGE'
  | 'LIMIT_EXCEEDED'
  | 'NOT_APPROVED'
  | 'WAIT_TIMEOUT'
  | 'COUNT_UNREACHABLE'
  | 'CALENDAR_NOT_FOUND'
  | 'HANDLER_ERROR'
  | 'COMMAND_FAILED';

/** Thrown inside pure code for a fault of a definition or its data; it routes or ends the run, never loops it. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly type: RunErrorType;
  readonly details: Json | undefined;

  constructor(type: RunErrorType, message: string, details?: Json) {
    super(message);
    this.type = type;
    this.details = details;
  }
}
