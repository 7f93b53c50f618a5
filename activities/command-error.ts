/**
 * The error by which a handler says what went wrong, in words that a definition can route on.
 *
 * What it is not: {@link FermataError} (what the package throws at callers) or {@link RunError} (faults that the engine
 * itself finds).
 *
 * Invariants:
 * 1. `type` is UPPER_SNAKE, so that `catch`, `retry.nonRetryable` and people can name it.
 * 2. No handler can claim a type by which the engine steers itself ({@link RESERVED_TYPES}).
 */
import type { Json } from '../definitions/types.ts';

const UPPER_SNAKE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** Types that mean something to the walker beyond routing: it asks again, or takes the run for cancelled. */
const RESERVED_TYPES: ReadonlySet<string> = new Set(['HANDLER_NOT_FOUND', 'CANCELLED']);

export interface CommandErrorOptions {
  /** Whether the retry policy applies. Default `true`. */
  readonly retryable?: boolean;
  /** Plain data about the fault, seen by definitions as `error.details`. Default: none. */
  readonly details?: Json;
  /** What led to it; its message is added to the text. */
  readonly cause?: unknown;
}

/**
 * @throws TypeError when `type` is not UPPER_SNAKE or is reserved; inside a handler that ends the attempt as
 * `HANDLER_ERROR` with this text.
 * @example
 * throw new CommandError('CARD_DECLINED', 'the bank declined the card', { retryable: false });
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly type: string;
  readonly retryable: boolean;
  readonly details: Json | undefined;

  constructor(type: string, message: string, options: CommandErrorOptions = {}) {
    if (!isErrorType(type)) {
      throw new TypeError(`${JSON.stringify(type)} is no error type; write it in UPPER_SNAKE, as in CARD_DECLINED`);
    }
    if (RESERVED_TYPES.has(type)) throw new TypeError(`the error type ${type} is reserved for the engine`);
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.type = type;
    this.retryable = options.retryable ?? true;
    this.details = options.details;
  }
}

/** Whether `type` is UPPER_SNAKE: letters and digits in groups joined by `_`, a letter first. */
export function isErrorType(type: unknown): type is string {
  return typeof type === 'string' && UPPER_SNAKE.test(type);
}

/** Whether a thrown value is a {@link CommandError}, from this copy of the package or another: told by its fields. */
export function isCommandError(thrown: unknown): thrown is CommandError {
  if (!(thrown instanceof Error)) return false;
  const { name, type, retryable } = thrown as { name?: unknown; type?: unknown; retryable?: unknown };
  return name === 'CommandError' && isErrorType(type) && !RESERVED_TYPES.has(type) && typeof retryable === 'boolean';
}
