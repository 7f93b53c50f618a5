/**
 * One hash table of the index: the triggers of one tenant and event type that must equal an event in the same fields.
 * One look-up answers for all of them.
 *
 * Invariant: a key with one trigger holds it bare, a key with more holds a `Set`; no key is empty.
 */
import { valueAt } from '../json/path.ts';
import type { Json, Scalar } from '../types.ts';
import { type LookupKey, lookupKey } from './lookup-key.ts';

export class FieldSet<T extends object> {
  /** Ids of its fields. Empty: a table of one key, for triggers that name no value. */
  readonly fieldIds: readonly string[];
  readonly #paths: readonly (readonly string[])[];
  readonly #entries = new Map<LookupKey, T | Set<T>>();
  #size = 0;

  constructor(fields: readonly { readonly id: string; readonly path: readonly string[] }[]) {
    this.fieldIds = fields.map((field) => field.id);
    this.#paths = fields.map((field) => field.path);
  }

  /** How many triggers it has; one without keys, which nothing can find, counts too. */
  get size(): number {
    return this.#size;
  }

  /** `entry` must not be in. */
  add(keys: readonly LookupKey[], entry: T): void {
    this.#size += 1;
    for (const key of keys) {
      const held = this.#entries.get(key);
      if (held instanceof Set) held.add(entry);
      else this.#entries.set(key, held === undefined ? entry : new Set([held, entry]));
    }
  }

  /** `entry` must be in, under these keys. */
  remove(keys: readonly LookupKey[], entry: T): void {
    this.#size -= 1;
    for (const key of keys) {
      const held = this.#entries.get(key);
      if (held === entry) this.#entries.delete(key);
      if (!(held instanceof Set) || !held.delete(entry)) continue;
      const [last] = held;
      if (held.size === 1 && last !== undefined) this.#entries.set(key, last);
    }
  }

  /** Appends the triggers whose fields have the values of `data`. */
  collect(data: Json, into: T[]): void {
    const key = this.#keyOf(data);
    if (key === undefined) return;
    const held = this.#entries.get(key);
    if (held instanceof Set) for (const entry of held) into.push(entry);
    else if (held !== undefined) into.push(held);
  }

  /** `undefined`: a field is absent or no scalar, so nothing equals it. */
  #keyOf(data: Json): LookupKey | undefined {
    const values: Scalar[] = [];
    for (const path of this.#paths) {
      const value = valueAt(data, path);
      if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
      values.push(value);
    }
    return lookupKey(values);
  }
}
