/**
 * Which mock answers which attempt.
 *
 * What it is: the state of the mocks while a simulation goes on: how far each list is used up, and how often each
 * command has been tried.
 *
 * Invariants:
 * 1. The choice depends on the mocks and on the order of attempts alone.
 * 2. Attempts of a command count over its whole life, however often the walker orders it again.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { RunError } from '../definitions/errors.ts';
import { Meter } from '../definitions/expressions/index.ts';
import { reportedFailure } from '../definitions/reported-failure.ts';
import type { Json } from '../definitions/types.ts';
import type { CommandOrder } from '../workflows/orders.ts';
import type { PreparedMocks, PreparedReply } from './mocks-schema.ts';

/** How one attempt goes, in time and result. */
export type Reply = { readonly takesMs: number } & ({ readonly output: Json } | { readonly error: ReplyError });

export interface ReplyError {
  readonly type: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: Json;
}

/** Errors that a worker reports as final by itself. */
const FINAL_ERRORS: readonly string[] = [
  'HANDLER_NOT_FOUND',
  'INPUT_INVALID',
  'OUTPUT_INVALID',
  'PAYLOAD_TOO_LARGE',
  'COMMAND_FAILED',
];

/** About a week of the walker's asking for a handler; mocks that have none until then have none. */
const MOST_ASKED = 10_000;

/** What of an order a choice depends on. */
type Asked = Pick<CommandOrder, 'commandId' | 'type' | 'payload'>;

export class MockReplies {
  /** How often each command has been tried so far, by command id. */
  readonly attempts: ReadonlyMap<string, number>;
  readonly #mocks: PreparedMocks['commands'];
  readonly #field: string;
  readonly #used = new Map<string, number>();
  readonly #tried = new Map<string, number>();
  #handlerIsMissing = false;

  /** @param field of the mocks document, for messages */
  constructor(mocks: PreparedMocks['commands'], field: 'commands' | 'workflows' = 'commands') {
    this.#mocks = mocks;
    this.#field = field;
    this.attempts = this.#tried;
  }

  /** Whether a command was answered with `HANDLER_NOT_FOUND` so often that the run will wait for ever. */
  get hopeless(): boolean {
    return this.#handlerIsMissing;
  }

  /** Whether anything is said of this type. */
  has(type: string): boolean {
    return Object.hasOwn(this.#mocks, type);
  }

  /** The answer to the next attempt of an order. @throws FermataError `mocks.invalid` if a `when` cannot be evaluated */
  next(order: Asked): Reply {
    const attempt = (this.#tried.get(order.commandId) ?? 0) + 1;
    this.#tried.set(order.commandId, attempt);
    const reply = this.#choose(order, attempt);
    if ('error' in reply && reply.error.type === 'HANDLER_NOT_FOUND' && attempt >= MOST_ASKED) {
      this.#handlerIsMissing = true;
    }
    return reply;
  }

  #choose(order: Asked, attempt: number): Reply {
    const replies = Object.hasOwn(this.#mocks, order.type) ? this.#mocks[order.type] : undefined;
    if (replies === undefined) return NOTHING_SAID;
    const reply = replies.some((entry) => entry.when)
      ? chosen(replies, { order, attempt, field: this.#field })
      : this.#useUp(replies, order);
    return reply ? toReply(reply) : NOTHING_SAID;
  }

  #useUp(replies: readonly PreparedReply[], order: Asked): PreparedReply | undefined {
    const at = this.#used.get(order.type) ?? 0;
    this.#used.set(order.type, at + 1);
    return replies[Math.min(at, replies.length - 1)];
  }
}

const NOTHING_SAID: Reply = { takesMs: 0, output: {} };

function chosen(
  replies: readonly PreparedReply[],
  { order, attempt, field }: { readonly order: Asked; readonly attempt: number; readonly field: string },
): PreparedReply | undefined {
  const names = { ...NO_NAMES, payload: order.payload, attempt, visit: visitOf(order.commandId) };
  return replies.find((entry, index) => {
    if (!entry.when) return true;
    try {
      return entry.when.evaluate(names, new Meter()) === true;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const path = `/${field}/${order.type}/${index}/when`;
      const message = `The mock at ${path} cannot be evaluated for ${order.commandId}: ${error.message}`;
      throw new FermataError('mocks.invalid', message, { issues: [{ path, message: error.message }] });
    }
  });
}

const NO_NAMES = { event: null, input: null, vars: {}, nodes: {}, run: {}, now: 0 };

/** The visit in `<run id>/<path>/<node id>/<visit>`, of an undo in `…/<visit>/undo`. */
function visitOf(commandId: string): number {
  return Number(/\/(\d+)(?:\/undo)?$/.exec(commandId)?.[1]);
}

function toReply({ takes, output, error }: PreparedReply): Reply {
  const reported = reportedFailure(output);
  if (reported !== null) return { takesMs: takes, error: { type: 'COMMAND_FAILED', retryable: false, ...reported } };
  if (error === undefined) return { takesMs: takes, output: output === undefined ? {} : output };
  const { type, message = type, retryable = !FINAL_ERRORS.includes(type), details } = error;
  return { takesMs: takes, error: { type, message, retryable, ...(details === undefined ? {} : { details }) } };
}
