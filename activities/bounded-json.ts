/**
 * Turns what a handler gives into the plain JSON that Temporal keeps, or says exactly why it cannot.
 *
 * What it is not: the reader at the doors (`definitions/json/json-value.ts`), which takes plain data only. A handler may give
 * what JSON can write: dates and other objects with `toJSON`, instances of classes with plain fields.
 *
 * Invariants:
 * 1. What comes out survives `JSON.parse(JSON.stringify(x))` unchanged; nothing is lost without an error but members that
 *    are `undefined`, as JSON does it. `undefined` itself, and in a list, is `null`.
 * 2. Own keys only, in their order; `__proto__` stays an ordinary own key.
 * 3. The work is bounded by {@link COUNTED_BYTES} or a limit above it, however large the value is.
 */
import { RunError } from '../definitions/errors.ts';
import { numberFault, textFault } from '../definitions/json/json-value.ts';
import { KEPT_KEY } from '../definitions/json/kept-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import { toPointer } from '../definitions/json/path.ts';
import type { Json } from '../definitions/types.ts';

/** Counting stops here: of anything larger the error says "more than". */
const COUNTED_BYTES = 16 * LIMITS.valueBytes;

/** Of what a value is, for messages: `output of command "add_tag"`. */
interface Walk {
  readonly what: string;
  readonly path: (string | number)[];
  readonly open: object[];
  /** Counting stops here. */
  readonly mostBytes: number;
  bytes: number;
  marked: boolean;
}

class CountedOut extends Error {}

/**
 * @param what Names the value in messages.
 * @throws RunError `OUTPUT_INVALID` with the path, for a cycle, BigInt, function, symbol, NaN, infinity, a whole
 * number beyond 2^53−1, U+0000, half of a surrogate pair, Map, Set, Error, RegExp, binary data or promise, or nesting
 * deeper than {@link LIMITS.jsonDepth}; `PAYLOAD_TOO_LARGE` beyond {@link LIMITS.valueBytes}.
 */
export function toBoundedJson(value: unknown, what: string): Json {
  return measuredJson(value, what, LIMITS.valueBytes).json;
}

export interface MeasuredJson {
  readonly json: Json;
  readonly bytes: number;
  /** Whether the key of references to kept values is in it somewhere. */
  readonly marked: boolean;
}

/** The same up to another limit, with what was found on the way. @throws RunError */
export function measuredJson(value: unknown, what: string, limit: number): MeasuredJson {
  const mostBytes = Math.max(COUNTED_BYTES, limit);
  const walk: Walk = { what, path: [], open: [], mostBytes, bytes: 0, marked: false };
  let json: Json;
  try {
    json = convert(value, walk);
  } catch (error) {
    if (error instanceof CountedOut) throw tooLarge(what, `more than ${mostBytes}`, { bytes: mostBytes, limit });
    throw error;
  }
  const { bytes, marked } = walk;
  if (bytes > limit) throw tooLarge(what, `${bytes}`, { bytes, limit });
  return { json, bytes, marked };
}

function convert(value: unknown, walk: Walk): Json {
  switch (typeof value) {
    case 'string':
      return text(value, walk);
    case 'number':
      return number(value, walk);
    case 'boolean':
      count(walk, value ? 4 : 5);
      return value;
    case 'undefined':
      count(walk, 4);
      return null;
    case 'object':
      if (value !== null) return compound(value, walk);
      count(walk, 4);
      return null;
    default:
      throw invalid(walk, `a ${typeof value} is no JSON`);
  }
}

function text(value: string, walk: Walk): string {
  // The raw length first: escaping a string of 100 MB to learn that it is too long would double it in memory.
  if (value.length > walk.mostBytes) throw new CountedOut();
  count(walk, Buffer.byteLength(JSON.stringify(value)));
  const fault = textFault(value);
  if (fault !== null) throw invalid(walk, fault);
  return value;
}

function number(value: number, walk: Walk): number {
  const fault = numberFault(value);
  if (fault !== null) throw invalid(walk, fault);
  count(walk, String(value).length);
  return value;
}

function compound(value: object, walk: Walk): Json {
  const replaced = (value as { toJSON?: unknown }).toJSON;
  if (typeof replaced === 'function') {
    const plain: unknown = replaced.call(value, String(walk.path.at(-1) ?? ''));
    if (plain !== value) return within(value, walk, () => convert(plain, walk));
  }
  if (isOpaque(value)) throw invalid(walk, `a ${value.constructor?.name ?? 'value of this kind'} is no JSON`);
  return within(value, walk, () => (Array.isArray(value) ? list(value, walk) : members(value, walk)));
}

/** Keeps the chain of open objects, by which a cycle is seen. */
function within(value: object, walk: Walk, body: () => Json): Json {
  if (walk.open.includes(value)) throw invalid(walk, 'the value contains itself');
  if (walk.open.length >= LIMITS.jsonDepth) throw invalid(walk, `nested deeper than ${LIMITS.jsonDepth} levels`);
  walk.open.push(value);
  const json = body();
  walk.open.pop();
  return json;
}

function list(value: readonly unknown[], walk: Walk): Json {
  count(walk, 2 + Math.max(0, value.length - 1));
  const items: Json[] = [];
  // By index, not by `map`: a hole is `null`, as JSON does it.
  for (let index = 0; index < value.length; index++) {
    walk.path.push(index);
    items.push(convert(value[index], walk));
    walk.path.pop();
  }
  return items;
}

function members(value: object, walk: Walk): Json {
  const entries: [string, Json][] = [];
  count(walk, 2);
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (key === KEPT_KEY) walk.marked = true;
    walk.path.push(key);
    text(key, walk);
    count(walk, entries.length > 0 ? 2 : 1);
    entries.push([key, convert(member, walk)]);
    walk.path.pop();
  }
  // Defines own keys, where an assignment to `__proto__` would set the prototype.
  return Object.fromEntries(entries);
}

/** Objects that JSON would silently write as `{}` or as a list of numbers. */
function isOpaque(value: object): boolean {
  return (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof Promise ||
    value instanceof RegExp ||
    value instanceof Error ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

function count(walk: Walk, bytes: number): void {
  walk.bytes += bytes;
  if (walk.bytes > walk.mostBytes) throw new CountedOut();
}

function invalid(walk: Walk, why: string): RunError {
  const path = toPointer(walk.path);
  return new RunError('OUTPUT_INVALID', `${walk.what}, at ${path === '' ? 'its root' : path}: ${why}`, { path });
}

function tooLarge(what: string, size: string, details: { readonly bytes: number; readonly limit: number }): RunError {
  const message = `${what} has ${size} bytes of JSON; the limit is ${details.limit}`;
  return new RunError('PAYLOAD_TOO_LARGE', message, { ...details });
}
