/**
 * The header field by which the walker tells an attempt what its activity type, id and arguments do not.
 *
 * Invariants:
 * 1. Its data is compact JSON without metadata; what has its default is not in it, and a command with nothing but
 *    defaults carries no header.
 * 2. Unknown keys are ignored, so that an older worker understands a newer walker.
 */
import { ApplicationFailure } from '@temporalio/activity';
import { DEFAULT_COMMAND_VERSION } from '../definitions/handler-catalog.ts';
import { COMMAND_HEADER, type CommandHeader, DEFAULT_JITTER } from '../definitions/wire.ts';

export interface Wire {
  /** `v`: version of the handler. Default 1. */
  readonly handlerVersion: number;
  /** `d`: version of the definition; `null` where it is not told. */
  readonly definitionVersion: number | null;
  /** `j`: share of the retry interval. Default 0.2. */
  readonly jitter: number;
  /** `u`: 1 for a rollback, whose one argument is `{ input, output }`. */
  readonly rollback: boolean;
  /** `i`: the command id without the run id, of a local activity, whose activity id cannot carry it; else `null`. */
  readonly localId: string | null;
  /** `s`: JSON pointers at which the payload holds references to secrets. Default none. */
  readonly secrets: readonly string[];
}

export const WIRE_DEFAULTS: Wire = {
  handlerVersion: DEFAULT_COMMAND_VERSION,
  definitionVersion: null,
  jitter: DEFAULT_JITTER,
  rollback: false,
  localId: null,
  secrets: [],
};

/** Header fields as the SDK hands them to interceptors. */
export type WireHeaders = Readonly<Record<string, { readonly data?: Uint8Array | null }>>;

/**
 * @throws ApplicationFailure `HANDLER_ERROR`, retryable: walker and worker do not understand each other, and the next
 * deployment may mend it.
 */
export function readWire(headers: WireHeaders): Wire {
  const data = headers[COMMAND_HEADER]?.data;
  if (data === undefined || data === null) return WIRE_DEFAULTS;
  const fields = parse(Buffer.from(data).toString());
  return {
    handlerVersion: positive(fields, 'v') ?? WIRE_DEFAULTS.handlerVersion,
    definitionVersion: positive(fields, 'd') ?? WIRE_DEFAULTS.definitionVersion,
    jitter: share(fields) ?? WIRE_DEFAULTS.jitter,
    rollback: fields['u'] === 1,
    localId: typeof fields['i'] === 'string' ? fields['i'] : null,
    secrets: pointers(fields),
  };
}

/** As read: each field is checked where it is taken. */
type Fields = { readonly [key in keyof CommandHeader]?: unknown };

function parse(text: string): Fields {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null) return fields;
  } catch {
    // Answered below, like JSON of another shape.
  }
  throw unreadable(text);
}

function positive(fields: Fields, key: 'v' | 'd'): number | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw unreadable(JSON.stringify(fields));
}

function pointers(fields: Fields): readonly string[] {
  const value = fields['s'];
  if (value === undefined) return WIRE_DEFAULTS.secrets;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw unreadable(JSON.stringify(fields));
}

function share(fields: Fields): number | undefined {
  const value = fields['j'];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw unreadable(JSON.stringify(fields));
}

function unreadable(text: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'HANDLER_ERROR',
    message: `the header ${COMMAND_HEADER} cannot be read: ${text.slice(0, 200)}; are walker and worker of one release?`,
  });
}
