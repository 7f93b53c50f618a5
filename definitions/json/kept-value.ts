/**
 * A value that is kept outside the history, as the reference that stands for it: `{ "$value": "<sha-256>", "bytes": n }`.
 *
 * What it is: the shape, and how to find and replace it. Who keeps and reads values: `activities/values/`.
 *
 * Invariants:
 * 1. A reference is known by its exact shape: these keys, and "of" where another run keeps the value, 64 digits of
 *    lower-case hex, a number.
 * 2. What is put in its place is never looked at again: a value that holds what looks like a reference stays as it is.
 */
import { hasOwn, isArray, keysOf } from '../intrinsics.ts';
import type { Json, JsonObject } from '../types.ts';
import { setOwn } from './set-own.ts';

/** The key that marks a reference. */
export const KEPT_KEY = '$value';

export interface KeptValue {
  /** SHA-256 of the value's JSON text, in hex. */
  readonly $value: string;
  /** Size of that text in UTF-8. */
  readonly bytes: number;
  /** The run that keeps it; absent: the run that holds the reference. */
  readonly of?: string;
}

const HASH = /^[0-9a-f]{64}$/;

/** Whether a value is a reference. */
export function isKept(value: unknown): value is KeptValue {
  if (typeof value !== 'object' || value === null || !hasOwn(value, KEPT_KEY)) return false;
  const { $value: hash, bytes, of } = value as { readonly [key: string]: unknown };
  if (typeof hash !== 'string' || !HASH.test(hash) || typeof bytes !== 'number') return false;
  return keysOf(value).length === (typeof of === 'string' ? 3 : 2);
}

/** The first reference in a value, itself included; `null`: it holds none. */
export function findKept(value: Json): KeptValue | null {
  if (typeof value !== 'object' || value === null) return null;
  if (isKept(value)) return value;
  for (const member of isArray(value) ? (value as readonly Json[]) : Object.values(value)) {
    const found = findKept(member);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a key is one of a reference's own, which are nobody's data. */
export function isKeptKey(key: unknown): boolean {
  return key === KEPT_KEY || key === 'bytes' || key === 'of';
}

/** `value` as another run sees it: its references say whose they are. */
export function keptBy(value: Json, runId: string): Json {
  if (typeof value !== 'object' || value === null || findKept(value) === null) return value;
  if (isArray(value)) return value.map((item: Json) => keptBy(item, runId));
  if (isKept(value)) return ownedBy(runId, value);
  const object: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) setOwn(object, key, keptBy(member, runId));
  return object;
}

function ownedBy(runId: string, { $value, bytes, of = runId }: KeptValue): Json {
  return { $value, bytes, of };
}

/** `value` with what `read` gives in the place of each reference, one after the other; the same where it holds none. */
export async function replaceKept(value: Json, read: Read): Promise<Json> {
  if (typeof value !== 'object' || value === null || findKept(value) === null) return value;
  if (isKept(value)) return await read(value);
  return isArray(value)
    ? await replaceIn(value as readonly Json[], read)
    : await replaceMembers(value as JsonObject, read);
}

type Read = (kept: KeptValue) => Promise<Json>;

async function replaceIn(list: readonly Json[], read: Read): Promise<Json> {
  const items: Json[] = [];
  for (const item of list) items.push(await replaceKept(item, read));
  return items;
}

async function replaceMembers(value: JsonObject, read: Read): Promise<Json> {
  const object: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) setOwn(object, key, await replaceKept(member, read));
  return object;
}

/** What a door says to data that looks like a reference, which only the engine makes; `null`: it does not. */
export function forgedText(value: Json): string | null {
  if (findKept(value) === null) return null;
  return `an object { "${KEPT_KEY}", "bytes" } stands for a value that a run keeps, and cannot come from outside; name a field otherwise`;
}

/** What to say where a reference stands and a value is needed. */
export function keptText({ bytes }: KeptValue): string {
  return `kept outside the history (${bytes} bytes), where expressions do not look; hand it to a command that reads it`;
}
