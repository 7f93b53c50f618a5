/**
 * Paths into JSON as definitions write them: `company.size`, `items.0.name`, `["a.b"].c`.
 *
 * What it is: the form used by `filters`, `correlate`, `redact` and `get()`. What it is not: an expression or a JSON
 * pointer ({@link toPointer} makes those).
 *
 * Invariants:
 * 1. Only own keys are followed, so no path reaches a prototype.
 * 2. A key with a dot, a bracket or no letters is written in brackets and JSON quotes: `["a.b"]`, `[""]`.
 */
import type { Json } from '../types.ts';

/** The keys that lead to a place in a document, outermost first. */
export type Keys = readonly (string | number)[];

const PLAIN = /[^.[\]]+/y;
const QUOTED = /\[("(?:[^"\\]|\\.)*")\]/y;
const INDEX = /\[(\d{1,9})\]/y;

/** The keys of a path from outermost to innermost, or `null` if `text` is no path. */
export function parsePath(text: string): readonly string[] | null {
  const keys: string[] = [];
  let at = 0;
  while (at < text.length || keys.length === 0) {
    const bracket = text[at] === '[';
    if (!bracket && keys.length > 0) {
      if (text[at] !== '.') return null;
      at++;
    }
    const part = readPart(text, at);
    if (part === null) return null;
    keys.push(part.key);
    at = part.end;
  }
  return keys;
}

function readPart(text: string, at: number): { key: string; end: number } | null {
  for (const pattern of [PLAIN, QUOTED, INDEX]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const key = pattern === QUOTED ? unquote(match[1] ?? '') : (match[1] ?? match[0]);
    return key === null ? null : { key, end: pattern.lastIndex };
  }
  return null;
}

function unquote(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

/** The value at `keys`, or `undefined` where a key is absent. Present and `null` is `null`. */
export function valueAt(value: Json, keys: Keys): Json | undefined {
  let current: Json | undefined = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    if (Array.isArray(current) && key === 'length') return undefined;
    current = (current as { readonly [key: string]: Json })[key];
  }
  return current;
}

/** A JSON pointer (RFC 6901): `""` for the whole, `/nodes/0/id`. */
export function toPointer(keys: Keys): string {
  let pointer = '';
  for (const key of keys) pointer += `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return pointer;
}

/** The keys of a JSON pointer, list indices as text. */
export function fromPointer(pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
