/**
 * The one activity that runs all handlers: the worker's default, dispatching by activity type.
 *
 * What it is not: a store client. Whoever composes the worker may listen to attempts through `onAttempt`.
 *
 * Invariants:
 * 1. Arguments are `[payload]`, or `[{ input, output }]` for a rollback; the rest travels in the header (`wire.ts`).
 * 2. Every way in which an attempt ends is one of: JSON within the limits; an ApplicationFailure whose text is bounded
 *    and masked; a CancelledFailure after the signal was aborted.
 * 3. Secrets exist from the resolution of the payload to the end of the attempt, and leave it masked.
 * 4. What is too large for a history leaves it after the masking, and is put back before the secrets.
 * 5. An attempt that the server has given up on frees its slot, even if its handler never returns.
 */
import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import { RunError } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import { type Attempt, attemptOf } from './attempt.ts';
import { createAttemptContext } from './attempt-context.ts';
import type { AttemptListener, AttemptReport } from './attempt-report.ts';
import { measuredJson } from './bounded-json.ts';
import { passedOnCancellation, whileWanted } from './cancellation.ts';
import type { CommandContext } from './command-context.ts';
import { faultOf, toApplicationFailure } from './fault.ts';
import type { Handler } from './handler.ts';
import type { Registry } from './registry.ts';
import { jitteredDelayMs, willRetry } from './retry-delay.ts';
import { createMasker, type Masker } from './secrets/masker.ts';
import { resolveSecrets } from './secrets/resolve-secrets.ts';
import type { SecretSource } from './secrets/secret-source.ts';
import { type KeepValues, keepOutside, limitOf, mustLeave, putBack } from './values/value-keeper.ts';
import { readWire, type Wire, WIRE_DEFAULTS, type WireHeaders } from './wire.ts';

export interface CommandActivityOptions {
  readonly registry: Registry;
  /** Asked in order. Default: none, so that every reference fails with `SECRET_NOT_FOUND`. */
  readonly secrets?: readonly SecretSource[];
  /** Where large outputs are kept. Default: nowhere, so that they fail with `PAYLOAD_TOO_LARGE`. */
  readonly values?: KeepValues | null;
  /** For the jitter of retries, from 0 up to, but not, 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Milliseconds since 1970, for reports. Default `Date.now`. */
  readonly now?: () => number;
  /** Hears of every attempt; must return quickly, and what it throws is logged and otherwise ignored. */
  readonly onAttempt?: AttemptListener;
}

export interface CommandActivity {
  /** Goes into the worker's `activities`. Activities registered there by name keep their names. */
  readonly activities: { readonly default: (argument?: Json) => Promise<Json> };
  /** Goes into the worker's `interceptors.activity`; without it every header is taken for absent. */
  readonly interceptor: (context: Context) => { readonly inbound: WireInterceptor };
}

/** Fits the SDK's `ActivityInboundCallsInterceptor`. */
interface WireInterceptor {
  execute<Input extends { readonly headers: WireHeaders }>(
    input: Input,
    next: (input: Input) => Promise<unknown>,
  ): Promise<unknown>;
}

export function createCommandActivity(options: CommandActivityOptions): CommandActivity {
  const wires = new WeakMap<Context, Wire>();
  return {
    activities: {
      default: (argument = null) => runAttempt(argument, wires.get(Context.current()) ?? WIRE_DEFAULTS, options),
    },
    interceptor: (context) => ({
      inbound: {
        async execute(input, next) {
          wires.set(context, readWire(input.headers));
          return next(input);
        },
      },
    }),
  };
}

async function runAttempt(argument: Json, wire: Wire, options: CommandActivityOptions): Promise<Json> {
  const temporal = Context.current();
  const { info, cancellationSignal: signal } = temporal;
  const attempt = attemptOf(info, wire);
  const masker = createMasker();
  const ctx = createAttemptContext(temporal, attempt, { masker, secrets: options.secrets ?? [] });
  const report = reporter(attempt, temporal, options);
  report({ phase: 'started' });
  try {
    const output = await whileWanted(
      carryOut({ argument, wire, attempt, ctx, masker, registry: options.registry, values: options.values ?? null }),
      signal,
    );
    report({ phase: 'succeeded' });
    return output;
  } catch (thrown) {
    const cancelled = passedOnCancellation(thrown, signal);
    if (cancelled !== null) {
      report({ phase: 'failed', error: { type: 'CANCELLED', message: cancelled.message } });
      throw cancelled;
    }
    const fault = faultOf(thrown, masker);
    const again = willRetry(info, fault);
    report({ phase: 'failed', error: { type: fault.type, message: fault.message }, willRetry: again });
    const jitter = { jitter: wire.jitter, random: options.random ?? Math.random };
    throw toApplicationFailure(fault, again ? (fault.retryDelayMs ?? jitteredDelayMs(info, jitter)) : undefined);
  }
}

interface Work {
  readonly argument: Json;
  readonly wire: Wire;
  readonly attempt: Attempt;
  readonly ctx: CommandContext;
  readonly masker: Masker;
  readonly registry: Registry;
  readonly values: KeepValues | null;
}

async function carryOut(work: Work): Promise<Json> {
  const { wire, attempt, ctx, masker, registry, values } = work;
  const { type, version } = attempt;
  const handler = findHandler(registry, attempt);
  const call = { type, version, timestamp: new Date(attempt.orderedAt).toISOString() };
  const owner = { tenant: attempt.run.tenant, runId: attempt.run.id };
  const argument = await putBack(work.argument, owner, values);
  if (wire.rollback) {
    if (handler.rollback === null)
      throw missing(`the handler of ${titleOf(attempt)} has no rollback`, attempt, registry);
    const { input = null, output = null } = (argument ?? {}) as { readonly input?: Json; readonly output?: Json };
    await handler.rollback({ ...call, payload: await resolveSecrets(input, wire.secrets, ctx.secret) }, output, ctx);
    return null;
  }
  const payload = await resolveSecrets(argument, wire.secrets, ctx.secret);
  const given = await handler.execute({ ...call, payload }, ctx);
  const what = `output of ${titleOf(attempt)} (${attempt.commandId})`;
  const output = measuredJson(given, what, limitOf(values));
  const masked = masker.json(output.json);
  if (masked !== output.json && !isDeepStrictEqual(masked, output.json))
    ctx.log.warn('a secret in the output was masked');
  return mustLeave(output, values) ? await keepOutside(masked, what, { ...owner, values }) : masked;
}

function findHandler(registry: Registry, attempt: Attempt): Handler {
  const handler = registry.find(attempt.type, attempt.version);
  if (handler === null) throw missing(`no handler for ${titleOf(attempt)} on this worker`, attempt, registry);
  return handler;
}

/** How many types an error lists. */
const TYPES_TOLD = 20;

function missing(what: string, { type, version }: Attempt, registry: Registry): RunError {
  const versions = registry.versions(type);
  const types = registry.types.slice(0, TYPES_TOLD);
  const more = registry.types.length - types.length;
  const has =
    versions.length > 0
      ? `it has version ${versions.join(', ')}`
      : `it has ${types.length === 0 ? 'no commands' : types.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return new RunError('HANDLER_NOT_FOUND', `${what}; ${has}`, { type, version, versions, types });
}

function titleOf({ type, version }: Attempt): string {
  return `command ${JSON.stringify(type)} version ${version}`;
}

type ReportedPhase = Pick<AttemptReport, 'phase'> & Partial<Pick<AttemptReport, 'error' | 'willRetry'>>;

function reporter(
  attempt: Attempt,
  temporal: Context,
  { onAttempt, now = Date.now }: CommandActivityOptions,
): (told: ReportedPhase) => void {
  return (told) => {
    try {
      onAttempt?.({ ...attempt, error: null, willRetry: null, at: now(), ...told });
    } catch (error) {
      // A projection must not change what becomes of a command; the reconciler makes it exact later.
      temporal.log.error('the listener to attempts failed', { error });
    }
  };
}
