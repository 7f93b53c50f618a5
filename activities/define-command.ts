/**
 * `defineCommand`: declares a handler, fully typed from its two schemas.
 *
 * What it is not: registration ({@link createRegistry}) or execution (`command-activity.ts`).
 *
 * Invariants:
 * 1. What it returns is checked and frozen; a wrong declaration throws when the module is loaded, not in a run.
 * 2. `input` sees plain JSON and `output` must describe plain JSON: both cross the network.
 */
import type { z } from 'zod';
import { parseDuration } from '../definitions/duration.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import { reasonOf } from '../definitions/reason-of.ts';
import type { DurationText, RetryPolicy } from '../definitions/types.ts';
import { isErrorType } from './command-error.ts';
import type { CommandContext } from './command-context.ts';

/** What {@link defineCommand} takes. Methods, so that commands of different types fit in one list. */
export interface CommandDeclaration<Input extends z.ZodType, Output extends z.ZodType> {
  /** Names the command in definitions, and its activity in Temporal: `^[A-Za-z][A-Za-z0-9._:-]{0,99}$`. */
  readonly type: string;
  /** Whole number from 1. Default 1. */
  readonly version?: number;
  /** Checks the payload, secrets already in place; a mismatch is `INPUT_INVALID`. */
  readonly input: Input;
  /** Checks what `execute` returns; a mismatch is `OUTPUT_INVALID`. Nothing returned counts as `null` after the check. */
  readonly output: Output;
  /** Defaults for nodes that say nothing; what is absent here is filled in by the engine. */
  readonly retry?: RetryPolicy;
  /** Longest life of one attempt. */
  readonly timeout?: DurationText;
  /** Longest time between two heartbeats of one attempt. */
  readonly heartbeat?: DurationText;
  /**
   * Does the work. Called at least once per visit, so it should be idempotent by `ctx.idempotencyKey`. It must not hold
   * the event loop: heartbeats, cancellation and every other attempt of the worker would wait for it.
   */
  execute(input: z.output<Input>, ctx: CommandContext): z.input<Output> | Promise<z.input<Output>>;
  /** Takes the work back, given what `execute` was given and what it returned (as JSON). */
  rollback?(input: z.output<Input>, output: z.output<Output>, ctx: CommandContext): unknown;
}

/** A declared handler: what was given, with `version` filled in. */
export interface Command<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends CommandDeclaration<Input, Output> {
  readonly version: number;
}

const TYPE = /^[A-Za-z][A-Za-z0-9._:-]{0,99}$/;

/**
 * @throws FermataError `handler.invalid` when a field has the wrong form.
 * @example
 * const addTag = defineCommand({
 *   type: 'add_tag',
 *   input: z.object({ leadId: z.string(), tag: z.string() }),
 *   output: z.object({ tags: z.number() }),
 *   async execute({ leadId, tag }, ctx) { return { tags: await crm.addTag(leadId, tag, ctx.idempotencyKey) }; },
 * });
 */
export function defineCommand<Input extends z.ZodType, Output extends z.ZodType>(
  declaration: CommandDeclaration<Input, Output>,
): Command<Input, Output> {
  const command = Object.freeze({ ...declaration, version: declaration.version ?? 1 });
  checkIdentity(command.type, command.version);
  for (const field of ['input', 'output'] as const) {
    if (typeof command[field]?.safeParseAsync !== 'function')
      throw invalid(command.type, `\`${field}\` is no zod schema`);
  }
  if (typeof command.execute !== 'function') throw invalid(command.type, '`execute` is no function');
  if (command.rollback !== undefined && typeof command.rollback !== 'function') {
    throw invalid(command.type, '`rollback` is no function');
  }
  checkTimes(command.type, command);
  if (command.retry !== undefined) checkRetry(command.type, command.retry);
  return command;
}

/** @throws FermataError `handler.invalid` */
export function checkIdentity(type: string, version: number): void {
  if (typeof type !== 'string' || !TYPE.test(type)) {
    throw invalid(
      String(type),
      'the type must begin with a letter and have letters, digits and . _ : - only, 100 at most',
    );
  }
  if (!Number.isSafeInteger(version) || version < 1) {
    throw invalid(type, `the version must be a whole number from 1, not ${JSON.stringify(version)}`);
  }
}

/** @throws FermataError `handler.invalid` */
export function checkTimes(
  type: string,
  times: { readonly timeout?: DurationText; readonly heartbeat?: DurationText },
): void {
  for (const field of ['timeout', 'heartbeat'] as const) checkDuration(type, field, times[field]);
}

/** @throws FermataError `handler.invalid` */
export function checkRetry(type: string, retry: RetryPolicy): void {
  checkDuration(type, 'retry.initialInterval', retry.initialInterval);
  checkDuration(type, 'retry.maxInterval', retry.maxInterval);
  checkNumber(type, retry, { field: 'maxAttempts', least: 1, most: Number.MAX_SAFE_INTEGER, whole: true });
  checkNumber(type, retry, { field: 'backoffCoefficient', least: 1, most: 1000, whole: false });
  checkNumber(type, retry, { field: 'jitter', least: 0, most: 1, whole: false });
  for (const name of retry.nonRetryable ?? []) {
    if (!isErrorType(name))
      throw invalid(type, `\`retry.nonRetryable\` has ${JSON.stringify(name)}, which is not UPPER_SNAKE`);
  }
}

function checkDuration(type: string, field: string, text: DurationText | undefined): void {
  if (text === undefined) return;
  try {
    if (parseDuration(text) > 0) return;
  } catch (error) {
    throw invalid(type, `\`${field}\`: ${reasonOf(error)}`);
  }
  throw invalid(type, `\`${field}\` must be longer than nothing`);
}

interface NumberRule {
  readonly field: 'maxAttempts' | 'backoffCoefficient' | 'jitter';
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

function checkNumber(type: string, retry: RetryPolicy, rule: NumberRule): void {
  const value = retry[rule.field];
  if (value === undefined) return;
  const holds = value >= rule.least && value <= rule.most && (!rule.whole || Number.isInteger(value));
  if (!holds)
    throw invalid(
      type,
      `\`retry.${rule.field}\` is ${String(value)}, outside its range from ${rule.least} to ${rule.most}`,
    );
}

function invalid(type: string, why: string): FermataError {
  return new FermataError('handler.invalid', `command ${JSON.stringify(type)}: ${why}`, { type });
}
