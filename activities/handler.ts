/**
 * What the activity calls: a declared command or a class handler behind one interface, its checks included.
 */
import type { z } from 'zod';
import { RunError } from '../definitions/errors.ts';
import { toPointer } from '../definitions/json/path.ts';
import { reasonOf } from '../definitions/reason-of.ts';
import { reportedFailure } from '../definitions/reported-failure.ts';
import type { Json } from '../definitions/types.ts';
import type { CommandContext } from './command-context.ts';
import type { Command } from './define-command.ts';

/** A command as it reaches a handler, secrets in place. */
export interface HandlerCall {
  readonly type: string;
  readonly version: number;
  readonly payload: Json;
  /** When it was ordered, ISO 8601. */
  readonly timestamp: string;
}

export interface Handler {
  /** What it gives is not JSON yet; see `toBoundedJson`. */
  execute(call: HandlerCall, ctx: CommandContext): Promise<unknown>;
  /** `call.payload` is what `execute` was given, `output` the JSON that it returned. `null`: it cannot be taken back. */
  readonly rollback: ((call: HandlerCall, output: Json, ctx: CommandContext) => Promise<void>) | null;
}

/** How many faults of one value an error tells. */
const ISSUES_TOLD = 20;

/**
 * A declared command with its schemas around it. `execute` throws RunError `INPUT_INVALID` or `OUTPUT_INVALID`, whose
 * details are `{ issues: [{ path, code, message }] }`, and `COMMAND_FAILED` for a failure that is returned.
 */
export function commandHandler(command: Command): Handler {
  const title = `command ${JSON.stringify(command.type)} version ${command.version}`;
  const readInput = (payload: Json): Promise<unknown> =>
    check(command.input, payload, { type: 'INPUT_INVALID', what: `payload of ${title}` });
  return {
    async execute(call, ctx) {
      const given = await command.execute(await readInput(call.payload), ctx);
      refuseReported(given);
      return check(command.output, given, { type: 'OUTPUT_INVALID', what: `output of ${title}` });
    },
    rollback:
      command.rollback === undefined
        ? null
        : async (call, output, ctx) => {
            refuseReported(await command.rollback?.(await readInput(call.payload), output, ctx));
          },
  };
}

/** @throws RunError `COMMAND_FAILED` */
function refuseReported(given: unknown): void {
  const failure = reportedFailure(given);
  if (failure !== null) throw new RunError('COMMAND_FAILED', failure.message, failure.details);
}

interface Check {
  readonly type: 'INPUT_INVALID' | 'OUTPUT_INVALID';
  readonly what: string;
}

async function check(schema: z.ZodType, value: unknown, { type, what }: Check): Promise<unknown> {
  const result = await parse(schema, value, { type, what });
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, ISSUES_TOLD).map((issue) => ({
    path: toPointer(issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))),
    code: issue.code ?? 'custom',
    message: issue.message,
  }));
  const told = issues.map(({ path, message }) => `${path === '' ? 'its root' : path}: ${message}`).join('; ');
  const more = result.error.issues.length - issues.length;
  throw new RunError(type, `${what} does not fit its schema, at ${told}${more > 0 ? `; and ${more} more` : ''}`, {
    issues,
  });
}

/** A schema's own functions may throw, and a value that contains itself overflows the stack of a recursive one. */
async function parse(schema: z.ZodType, value: unknown, { type, what }: Check): Promise<z.ZodSafeParseResult<unknown>> {
  try {
    return await schema.safeParseAsync(value);
  } catch (error) {
    throw new RunError(type, `${what} cannot be checked: ${reasonOf(error)}`);
  }
}
