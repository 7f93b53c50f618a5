/**
 * Keeps large outputs outside the history, and puts them back where a handler needs them.
 *
 * What it is: what an attempt does with values before and after its handler. What it is not: a store.
 *
 * Invariants:
 * 1. Of an object the members above the threshold leave, so that its small fields stay readable to expressions; where
 *    that is not enough, and of anything else, the whole leaves.
 * 2. A handler never sees a reference that its run was given; what it gives that looks like one is kept outside as a
 *    whole, and comes back as the data that it is.
 * 3. An attempt reads values of its own tenant only, whatever a reference says; and of its own run, where that does not name
 *    the child that keeps it.
 */
import { RunError } from '../../definitions/errors.ts';
import { isObject } from '../../definitions/json/json-kinds.ts';
import { findKept, isKept, type KeptValue, replaceKept } from '../../definitions/json/kept-value.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';
import { isFermataError } from '../../definitions/fermata-error.ts';
import { keepValue, readValue, type ValueOwner, type ValueStore } from '../../store/index.ts';
import type { MeasuredJson } from '../bounded-json.ts';

export interface KeepValues {
  readonly store: ValueStore;
  /** What has more bytes leaves the history. */
  readonly thresholdBytes: number;
  /** Most of one output, and of one payload with all that was put into it. */
  readonly maxBytes: number;
}

/** Most bytes of an output, where values are kept or not. */
export function limitOf(values: KeepValues | null): number {
  return values?.maxBytes ?? LIMITS.valueBytes;
}

/** Whether an output cannot go into the history as it is. */
export function mustLeave({ json, bytes, marked }: MeasuredJson, values: KeepValues | null): boolean {
  return (values !== null && bytes > values.thresholdBytes) || (marked && findKept(json) !== null);
}

/**
 * Gives `output` with references for what is too large, whose texts are then in the store.
 * @param what Names the output in messages.
 * @throws RunError `OUTPUT_INVALID` for what looks like a reference, where no values are kept
 */
export async function keepOutside(
  output: Json,
  what: string,
  of: ValueOwner & { values: KeepValues | null },
): Promise<Json> {
  const { values, ...owner } = of;
  if (values === null) {
    const why = 'it holds what looks like a reference to a kept value, and this worker keeps none';
    throw new RunError('OUTPUT_INVALID', `${what}: ${why}`, { path: '' });
  }
  const members = isObject(output) && !isKept(output) ? largeMembers(output, values.thresholdBytes) : null;
  if (members === null) return await put(textOf(output), owner, values);
  const entries: [string, Json][] = [];
  for (const [key, member, text] of members) {
    entries.push([key, text === null ? member : await put(text, owner, values)]);
  }
  return Object.fromEntries(entries);
}

/** Bytes of a reference, about. */
const REFERENCE_BYTES = 100;

/** All members with the texts of those that have to leave; `null`: the object has to leave as a whole. */
function largeMembers(output: JsonObject, thresholdBytes: number): [string, Json, string | null][] | null {
  let left = 2;
  const members = Object.entries(output).map(([key, member]): [string, Json, string | null] => {
    const text = textOf(member);
    const bytes = Buffer.byteLength(text);
    const leaves = bytes > thresholdBytes;
    left += Buffer.byteLength(textOf(key)) + 2 + (leaves ? REFERENCE_BYTES : bytes);
    return [key, member, leaves ? text : null];
  });
  const forged = members.some(([, member, text]) => text === null && findKept(member) !== null);
  return left > thresholdBytes || forged ? null : members;
}

async function put(text: string, owner: ValueOwner, { store }: KeepValues): Promise<Json> {
  return { ...(await keepValue(store, owner, text)) };
}

/**
 * `argument` with the values in the places of their references.
 * @throws RunError `INPUT_INVALID` for a value that the run does not have, `PAYLOAD_TOO_LARGE` for too much at once;
 * Error, retryable, where this worker keeps no values
 */
export async function putBack(argument: Json, owner: ValueOwner, values: KeepValues | null): Promise<Json> {
  const first = findKept(argument);
  if (first === null) return argument;
  if (values === null) {
    const what = `a value of ${first.bytes} bytes that is kept outside the history`;
    throw new Error(`the payload holds ${what}, and this worker has no store of values (option values)`);
  }
  let room = values.maxBytes;
  return await replaceKept(argument, async (kept) => {
    const { value, bytes } = await readValue(values.store, owner, kept).catch((error: unknown) => {
      throw isFermataError(error) && error.code === 'value.not_found' ? unknownValue(kept, owner) : error;
    });
    room -= bytes;
    if (room < 0) throw tooMuch(values.maxBytes);
    return value;
  });
}

function unknownValue({ $value: hash }: KeptValue, { runId }: ValueOwner): RunError {
  const why = 'only values that its own commands gave can be handed on';
  return new RunError(
    'INPUT_INVALID',
    `the payload refers to a value ${hash} that the run "${runId}" does not have; ${why}`,
    { hash },
  );
}

function tooMuch(limit: number): RunError {
  const message = `the payload, with the values that are kept outside the history, has more than ${limit} bytes of JSON`;
  return new RunError('PAYLOAD_TOO_LARGE', message, { limit });
}

function textOf(value: Json): string {
  return JSON.stringify(value);
}
