/**
 * What a failed attempt comes to: anything that a handler may throw, as one bounded and masked shape, and its crossing to
 * Temporal.
 *
 * Invariants:
 * 1. Any thrown value has a fault, also those that throw when looked at.
 * 2. Message and stack are masked first and cut then, to {@link LIMITS}; details over {@link LIMITS.valueBytes} are left
 *    out with a note. A message of some megabytes could not be reported at all, and the attempt would hang.
 * 3. {@link toApplicationFailure} is the only way of a failure into Temporal.
 */
import { ApplicationFailure } from '@temporalio/activity';
import { parseDuration } from '../definitions/duration.ts';
import type { RunError } from '../definitions/errors.ts';
import { LIMITS } from '../definitions/limits.ts';
import { cutUtf8 } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';
import { toBoundedJson } from './bounded-json.ts';
import { isCommandError, isErrorType } from './command-error.ts';
import type { Masker } from './secrets/masker.ts';

export interface Fault {
  readonly type: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: Json | undefined;
  readonly stack: string;
  /** Milliseconds before the next attempt, where the handler asked for them through Temporal's own error. */
  readonly retryDelayMs: number | undefined;
}

/** How deep the causes of an error are told. */
const CAUSES_TOLD = 4;

/** The fault behind a thrown value: {@link CommandError} and {@link RunError} by their type, all else `HANDLER_ERROR`. */
export function faultOf(thrown: unknown, masker: Masker): Fault {
  let fault: Fault;
  try {
    fault = readFault(thrown);
  } catch {
    fault = { ...HANDLER_ERROR, message: 'the handler threw a value that cannot be read' };
  }
  return {
    ...fault,
    message: cut(masker.text(fault.message), LIMITS.failureMessageBytes),
    stack: cut(masker.text(fault.stack), LIMITS.failureStackBytes),
    details: masker.json(boundedDetails(fault.details)),
  };
}

/** @param retryDelayMs Wait before the next attempt; default: what the retry policy says. */
export function toApplicationFailure(fault: Fault, retryDelayMs: number | undefined): ApplicationFailure {
  const failure = ApplicationFailure.create({
    type: fault.type,
    message: fault.message,
    nonRetryable: !fault.retryable,
    ...(fault.details === undefined ? {} : { details: [fault.details] }),
    ...(retryDelayMs === undefined ? {} : { nextRetryDelay: retryDelayMs }),
  });
  failure.stack = fault.stack;
  return failure;
}

/** A unit of text is one byte at least: what lies behind needs no counting, be it 100 MB. */
function cut(text: string, maxBytes: number): string {
  return cutUtf8(text.slice(0, maxBytes + 1), maxBytes);
}

const HANDLER_ERROR = {
  type: 'HANDLER_ERROR',
  retryable: true,
  details: undefined,
  stack: '',
  retryDelayMs: undefined,
} as const;

function readFault(thrown: unknown): Fault {
  if (!(thrown instanceof Error)) return { ...HANDLER_ERROR, message: `the handler threw ${spell(thrown)}` };
  const told = {
    message: messageOf(thrown),
    stack: framesOfHandler(String(thrown.stack ?? '')),
    retryDelayMs: undefined,
  };
  if (isCommandError(thrown)) {
    return { ...told, type: thrown.type, retryable: thrown.retryable, details: thrown.details };
  }
  if (isRunError(thrown)) return { ...told, type: thrown.type, retryable: false, details: thrown.details };
  if (thrown instanceof ApplicationFailure) return readApplicationFailure(thrown, told.message, told.stack);
  const named =
    thrown.name === 'Error' || thrown.name === '' ? told.message : `${String(thrown.name)}: ${told.message}`;
  return { ...HANDLER_ERROR, ...told, message: named };
}

/** Handlers written for plain Temporal may throw its own error; what it says about retries and details is kept. */
function readApplicationFailure(thrown: ApplicationFailure, message: string, stack: string): Fault {
  return {
    type: isErrorType(thrown.type) ? thrown.type : 'HANDLER_ERROR',
    message,
    retryable: thrown.nonRetryable !== true,
    details: thrown.details?.[0] as Json | undefined,
    stack,
    retryDelayMs: delayMs(thrown.nextRetryDelay),
  };
}

/** A text that Temporal would read and we do not, such as `"5 minutes"`, leaves the wait to the policy. */
function delayMs(delay: unknown): number | undefined {
  if (typeof delay !== 'string') return typeof delay === 'number' ? delay : undefined;
  try {
    return parseDuration(delay);
  } catch {
    return undefined;
  }
}

/** Where stacks name our own files; a path, so that it is found in file URLs too. */
const OWN_FOLDER = new URL('.', import.meta.url).pathname;

/** The stack without the frames of this package and Temporal below the handler: they say nothing, and fill the history. */
function framesOfHandler(stack: string): string {
  const lines = stack.split('\n');
  const ours = lines.findIndex(
    (line) => line.includes(`${OWN_FOLDER}handler.`) || line.includes(`${OWN_FOLDER}adapt-handler.`),
  );
  return ours === -1 ? stack : lines.slice(0, ours).join('\n');
}

function isRunError(thrown: Error): thrown is RunError {
  return thrown.name === 'RunError' && isErrorType((thrown as { type?: unknown }).type);
}

/** The error's message and those of its causes: `fetch failed; caused by: connect ECONNREFUSED 127.0.0.1:80`. */
function messageOf(error: Error): string {
  const told = [String(error.message)];
  let cause = error.cause;
  for (let depth = 0; depth < CAUSES_TOLD && cause !== undefined && cause !== null; depth++) {
    told.push(cause instanceof Error ? headline(cause) : spell(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return told.join('; caused by: ');
}

/** Errors of the network often have a code and no message. */
function headline(error: Error): string {
  const { message, code, name } = error as Error & { code?: unknown };
  return String(message) || (typeof code === 'string' ? code : String(name));
}

function spell(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown === '' ? 'an empty text' : thrown;
  if (typeof thrown === 'object' && thrown !== null) return JSON.stringify(thrown) ?? 'an object';
  return String(thrown);
}

function boundedDetails(details: unknown): Json | undefined {
  if (details === undefined) return undefined;
  try {
    return toBoundedJson(details, 'details of the error');
  } catch (error) {
    return { omitted: error instanceof Error ? error.message : 'details of the error cannot be read' };
  }
}
