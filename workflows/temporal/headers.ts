/**
 * The one header field by which a command tells its activity what is not default.
 *
 * What it is: an outbound interceptor, since the SDK gives no other way to set a header, and its compact payload.
 * Invariant: the payload has no metadata and its data is compact JSON, since each activity event carries it.
 */
import type { ActivityOptions, LocalActivityOptions, WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { Bytes, keysOf, stringify } from '../../definitions/intrinsics.ts';
import { COMMAND_HEADER, type CommandHeader } from '../../definitions/wire.ts';
import { inTurn } from './local-turns.ts';

/** The SDK copies options with their symbols, so the header travels on them to the interceptor. */
const MARK = Symbol('command header');

/** Marks the options of one activity with its header. */
export function withHeader<Options extends ActivityOptions | LocalActivityOptions>(
  options: Options,
  header: CommandHeader,
): Options {
  return keysOf(header).length === 0 ? options : { ...options, [MARK]: header };
}

/** Registered in the bundle as a workflow interceptor module. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) => next({ ...input, headers: headersOf(input.options, input.headers) }),
      scheduleLocalActivity: (input, next) =>
        inTurn(input.options, () => next({ ...input, headers: headersOf(input.options, input.headers) })),
    },
  ],
});

function headersOf<Headers extends object>(options: object, headers: Headers): Headers {
  const header = (options as { readonly [MARK]?: CommandHeader })[MARK];
  if (header === undefined) return headers;
  return { ...headers, [COMMAND_HEADER]: { data: bytesOf(header) } };
}

/** The commands of a run mostly have the same header. */
let last: { readonly json: string; readonly data: Uint8Array } = { json: '', data: new Bytes(0) };

function bytesOf(header: CommandHeader): Uint8Array {
  const json = stringify(header);
  if (json !== last.json) last = { json, data: asciiOf(json) };
  return last.data;
}

/** With everything else escaped, a character is a byte. */
function asciiOf(json: string): Uint8Array {
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Bytes.from(ascii, (character) => character.charCodeAt(0));
}
