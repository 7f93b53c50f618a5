/**
 * From CEL values back to JSON.
 *
 * Invariants:
 * 1. What comes out is JSON that survives a round trip: no NaN, no Infinity, no -0, no integer beyond 2^53.
 * 2. What came in as JSON goes out as the same object, not as a copy.
 * 3. Size is bounded while building: a result that no payload could carry is refused before it exists. What fits is
 *    paid for by its size, since whoever takes it reads it whole.
 */
import { type CelList, type CelMap, type CelValue, isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import { LIMITS } from '../limits.ts';
import { setOwn } from '../json/set-own.ts';
import type { Json } from '../types.ts';
import { type Meter, stepsFor } from './budget.ts';
import { isArray, isFiniteNumber, keysOf } from '../intrinsics.ts';
import { jsonOf } from './json-values.ts';
import { messageText } from './messages.ts';
import { typeName } from './type-names.ts';

/** Thrown where a result is larger than any payload may be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** A value takes two bytes of JSON or more. */
const MOST_VALUES = LIMITS.valueBytes / 2;
const MOST_CHARACTERS = LIMITS.stateBytes;

/** Gives what `build` builds, in a room of its own; the meter is told by how much it fills it. */
export function inRoom<T>(meter: Meter, build: (room: Room) => T): T {
  const room = new Room();
  try {
    return build(room);
  } finally {
    meter.used += stepsFor(room.taken());
  }
}

/** The room that the result of one evaluation has. */
export class Room {
  #values = MOST_VALUES;
  #characters: number = MOST_CHARACTERS;

  taken(): { readonly characters: number; readonly values: number } {
    return { characters: MOST_CHARACTERS - this.#characters, values: MOST_VALUES - this.#values };
  }

  /** @throws TooLarge */
  takeValue(): void {
    this.#values -= 1;
    if (this.#values < 0) throw new TooLarge(`the value has too many values: more than ${MOST_VALUES}`);
  }

  /** @throws TooLarge */
  takeText(length: number): void {
    this.#characters -= length;
    if (this.#characters < 0)
      throw new TooLarge(`the value is too large: it has more than ${MOST_CHARACTERS} characters`);
  }

  /** Makes room for a JSON value as it is. @throws TooLarge */
  takeJson(json: unknown): void {
    this.takeValue();
    if (typeof json === 'string') {
      this.takeText(json.length);
    } else if (isArray(json)) {
      for (const item of json) this.takeJson(item);
    } else if (typeof json === 'object' && json !== null) {
      for (const key of keysOf(json)) {
        this.takeText(key.length);
        this.takeJson((json as Record<string, unknown>)[key]);
      }
    }
  }
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** @throws Error for a value that has no JSON form, or does not fit. */
export function toJson(value: CelValue, room: Room): Json {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      room.takeText(value.length);
      return value;
    case 'number':
      return finite(value);
    case 'bigint':
      return safe(value);
    default:
      return objectToJson(value, room);
  }
}

function finite(value: number): number {
  if (!isFiniteNumber(value)) throw new Error(`the result is ${value}, which JSON does not have`);
  return value === 0 ? 0 : value;
}

function safe(value: bigint): number {
  if (value > MAX_SAFE || value < -MAX_SAFE) throw new Error(`the result ${value} is beyond ±(2^53−1); use string(…)`);
  return Number(value);
}

function objectToJson(value: Exclude<CelValue, string | number | bigint | boolean>, room: Room): Json {
  if (value === null) return null;
  const json = jsonOf(value);
  if (json !== undefined) {
    room.takeJson(json);
    return json;
  }
  if (isCelList(value)) return listToJson(value, room);
  if (isCelMap(value)) return mapToJson(value, room);
  if (isCelUint(value)) return safe(value.value);
  const text = messageText(value);
  if (text === null) throw new Error(`the result is ${typeName(value)}, which JSON does not have`);
  return text;
}

function listToJson(list: CelList, room: Room): Json {
  const items: Json[] = [];
  for (let at = 0; at < list.size; at += 1) {
    room.takeValue();
    items.push(toJson(list.get(at) ?? null, room));
  }
  return items;
}

function mapToJson(map: CelMap, room: Room): Json {
  const object: Record<string, Json> = {};
  for (const [key, value] of map.entries()) {
    if (typeof key !== 'string') throw new Error('the result has a key that is not a string');
    room.takeValue();
    room.takeText(key.length);
    setOwn(object, key, toJson(value, room));
  }
  return object;
}
