/**
 * The article's class form of a handler, `canHandle` / `execute` / `rollback`, made usable beside declared commands.
 *
 * Invariants:
 * 1. The instance sees the article's command object and nothing else, so existing classes run unchanged.
 * 2. `{ success: false }` fails the command without retry as `COMMAND_FAILED`; what the instance throws is treated like
 *    what any handler throws.
 * 3. `rollback` is called with the command that it takes back, under that command's own id.
 */
import { RunError } from '../definitions/errors.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import { failureOf } from '../definitions/reported-failure.ts';
import type { DurationText, Json, RetryPolicy } from '../definitions/types.ts';
import type { CommandContext } from './command-context.ts';
import { checkIdentity, checkRetry, checkTimes } from './define-command.ts';
import type { Handler, HandlerCall } from './handler.ts';

/** A command as the article writes it. `id` is the idempotency key, `timestamp` ISO 8601. */
export interface ArticleCommand {
  readonly type: string;
  readonly id: string;
  readonly payload: Json;
  readonly timestamp: string;
  readonly version: number;
}

/** What the article's `execute` answers. The output is `output`, else `data`, else `null`. */
export interface ArticleResult {
  readonly success: boolean;
  readonly data?: unknown;
  readonly output?: unknown;
  /** Text, an error, or an object with a `message`. */
  readonly error?: unknown;
}

export interface ArticleHandler {
  canHandle(type: string): boolean;
  execute(command: ArticleCommand): ArticleResult | Promise<ArticleResult>;
  rollback?(command: ArticleCommand, output: Json): unknown;
}

export interface AdaptOptions {
  /** Types that the manifest lists, so that publishing knows them. Default: none; the instance still answers at run time. */
  readonly types?: readonly string[];
  readonly retry?: RetryPolicy;
  readonly timeout?: DurationText;
  readonly heartbeat?: DurationText;
}

/** An instance that {@link createRegistry} takes. It answers every version of the types that it can handle. */
export interface AdaptedHandler extends AdaptOptions {
  readonly kind: 'adapted';
  readonly types: readonly string[];
  readonly instance: ArticleHandler;
}

/**
 * @throws FermataError `handler.invalid` when the instance lacks `canHandle` or `execute`, refuses one of `types`, or an
 * option has the wrong form.
 */
export function adaptHandler(instance: ArticleHandler, options: AdaptOptions = {}): AdaptedHandler {
  const name = instance.constructor?.name ?? 'handler';
  for (const method of ['canHandle', 'execute'] as const) {
    if (typeof instance[method] !== 'function')
      throw new FermataError('handler.invalid', `${name} has no method ${method}`);
  }
  const types = options.types ?? [];
  for (const type of types) {
    checkIdentity(type, 1);
    if (!instance.canHandle(type)) throw new FermataError('handler.invalid', `${name} cannot handle ${type}`, { type });
  }
  checkTimes(name, options);
  if (options.retry !== undefined) checkRetry(name, options.retry);
  return Object.freeze({ ...options, types, kind: 'adapted', instance });
}

/** The instance behind the interface that the activity calls. */
export function articleHandler({ instance }: AdaptedHandler): Handler {
  return {
    async execute(call, ctx) {
      return outputOf(await instance.execute(commandOf(call, ctx)), call);
    },
    rollback:
      typeof instance.rollback === 'function'
        ? async (call, output, ctx) => {
            const answer = await instance.rollback?.(commandOf(call, ctx), output);
            if (isResult(answer)) outputOf(answer, call);
          }
        : null,
  };
}

function commandOf(call: HandlerCall, ctx: CommandContext): ArticleCommand {
  const { type, payload, timestamp, version } = call;
  return { type, id: ctx.undoes ?? ctx.idempotencyKey, payload, timestamp, version };
}

function outputOf(result: unknown, { type }: HandlerCall): unknown {
  if (!isResult(result)) {
    throw new RunError(
      'OUTPUT_INVALID',
      `handler of ${JSON.stringify(type)} must return { success, output or data, error }`,
    );
  }
  if (result.success) return result.output ?? result.data;
  const { message, details } = failureOf(result.error);
  throw new RunError('COMMAND_FAILED', message, details);
}

function isResult(value: unknown): value is ArticleResult {
  return typeof value === 'object' && value !== null && typeof (value as { success?: unknown }).success === 'boolean';
}
