/**
 * The `key` of a definition as one run asks for it: of all runs of a definition with the same key one is open at a time.
 *
 * What it is not: who has the key; that is the store's.
 *
 * Invariants:
 * 1. Equal values have the same text and different values different ones: `1` and `"1"` differ, the order of an object's
 *    keys does not matter.
 * 2. A value that is `null`, or holds one, is no key: runs that have nothing in common would exclude each other.
 */
import { FermataError } from './fermata-error.ts';
import { canonicalJson } from './json/canonical.ts';
import { type Keys, toPointer } from './json/path.ts';
import type { Definition, Json, KeyPolicy } from './types.ts';

export interface KeyClaim {
  /** Canonical JSON. */
  readonly text: string;
  readonly onConflict: KeyPolicy;
  /** The definition hides values, of which the key may be made: nobody may see its text. */
  readonly hidden: boolean;
}

/** @throws FermataError `run.input_invalid` with the path of what is no part of a key */
export function keyClaim({ id, key, redact = [] }: Definition, value: Json): KeyClaim | null {
  if (key === undefined) return null;
  const empty = findNull(value, ['key', 'value']);
  if (empty !== null) {
    const path = toPointer(empty);
    const message = `The key of "${id}" is not usable: ${path} is null, and a key needs a value, so that runs about nothing do not exclude each other`;
    throw new FermataError('run.input_invalid', message, { path });
  }
  return { text: canonicalJson(value), onConflict: key.onConflict, hidden: redact.length > 0 };
}

function findNull(value: Json, keys: Keys): Keys | null {
  if (value === null) return keys;
  if (typeof value !== 'object') return null;
  for (const [key, part] of Object.entries(value)) {
    const found = findNull(part, [...keys, key]);
    if (found !== null) return found;
  }
  return null;
}
