/**
 * What counts as a JSON value at the doors, whether it comes as text or as a JavaScript value.
 */
import { excerpt } from '../excerpt.ts';
import { FermataError } from '../fermata-error.ts';
import { LIMITS } from '../limits.ts';
import { type Keys, toPointer } from './path.ts';
import { setOwn } from './set-own.ts';
import type { Json } from '../types.ts';

/**
 * A plain copy of a JavaScript value as JSON; fields that are `undefined` are left out.
 *
 * @throws FermataError `json.invalid` with `details` `{ path }` for what JSON cannot hold: functions, bigints, dates and
 * other class instances, holes, NaN, whole numbers beyond 2^53−1, U+0000, lone surrogates, cycles and nesting beyond
 * `maxDepth`.
 */
export function toJson(value: unknown, maxDepth: number = LIMITS.jsonDepth): Json {
  return copy(value, { keys: [], maxDepth });
}

interface Place {
  readonly keys: (string | number)[];
  readonly maxDepth: number;
}

/** Why a number is refused, or `null`. `shown` is how it was written. */
export function numberFault(value: number, shown: string = String(value)): string | null {
  const text = excerpt(shown, 40);
  if (Number.isNaN(value)) return 'NaN is no JSON number';
  if (!Number.isFinite(value)) return `the number ${text} is too large`;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return `the whole number ${text} is beyond 2^53-1 and would be rounded; write it as a text`;
  }
  return null;
}

/** Why a text is refused, or `null`. */
export function textFault(text: string): string | null {
  if (text.includes('\u0000')) return 'a text must not hold the character U+0000';
  // With the u flag this class matches only a surrogate without its partner.
  if (/[\ud800-\udfff]/u.test(text)) return 'a text must not hold half of a surrogate pair';
  return null;
}

function copy(value: unknown, place: Place): Json {
  const { keys, maxDepth } = place;
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return accept(value, textFault(value), keys);
    case 'number':
      return accept(value, numberFault(value), keys);
    case 'object':
      if (value === null) return null;
      if (keys.length >= maxDepth) throw refusal(`nested deeper than ${maxDepth} levels`, keys);
      return Array.isArray(value) ? copyArray(value, place) : copyObject(value, place);
    default:
      throw refusal(`a value of type ${typeof value} is no JSON`, keys);
  }
}

function copyArray(value: readonly unknown[], place: Place): Json {
  const { keys } = place;
  const list: Json[] = [];
  for (let index = 0; index < value.length; index++) {
    keys.push(index);
    list.push(copy(value[index], place));
    keys.pop();
  }
  return list;
}

function copyObject(value: object, place: Place): Json {
  const { keys } = place;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Plain objects of another realm have another Object.prototype, which itself has no prototype.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refusal('an object of a class is no JSON; give plain data, and a date as ISO 8601 text', keys);
  }
  const object: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    keys.push(key);
    accept(key, textFault(key), keys);
    setOwn(object, key, copy(entry, place));
    keys.pop();
  }
  return object;
}

function accept<T extends Json>(value: T, fault: string | null, keys: Keys): T {
  if (fault !== null) throw refusal(fault, keys);
  return value;
}

function refusal(why: string, keys: Keys): FermataError {
  const path = toPointer(keys);
  return new FermataError('json.invalid', `${why} (at ${path === '' ? 'the top' : path})`, { path });
}
