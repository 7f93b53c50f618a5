/**
 * JSON as CEL values: views over the original objects, nothing copied.
 *
 * What it is not: a conversion. A view reads through to its object; `jsonOf` gives that object back.
 *
 * Invariants:
 * 1. Only own keys exist: `__proto__`, `constructor` and `toString` are keys like any other, present or not.
 * 2. A key with the value `null` is present. (The library's own maps answer `has` with false there.)
 * 3. One view per object, kept as long as the object: a run's event is wrapped once.
 * 4. A reference to a value that is kept outside the history has a view that can be passed on, and throws at any look inside.
 * 5. A view never changes its object, and a list that grows in a loop shares its storage, so that growing is linear.
 */
import { type CelList, type CelMap, type CelValue, celList, celMap, isCelList } from '@bufbuild/cel';
import { isKept, type KeptValue, keptText } from '../json/kept-value.ts';
import type { Json, JsonObject } from '../types.ts';
import { chargeValues } from './budget.ts';
import { hasOwn, isArray, keysOf } from '../intrinsics.ts';

/** The library marks its maps and lists with a symbol; ours carry the same one. */
function brandOf(instance: object): symbol {
  const brand = Object.getOwnPropertySymbols(instance)[0];
  if (brand === undefined) throw new Error('@bufbuild/cel no longer marks its values with a symbol');
  return brand;
}

function brand(prototype: object, instance: object): void {
  Object.defineProperty(prototype, brandOf(instance), { value: {} });
}

class JsonMap {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  get size(): number {
    return keysOf(this.json).length;
  }

  get(key: unknown): CelValue | undefined {
    if (typeof key !== 'string' || !hasOwn(this.json, key)) return undefined;
    const value = this.json[key];
    return value === undefined ? undefined : wrap(value);
  }

  has(key: unknown): boolean {
    return typeof key === 'string' && hasOwn(this.json, key) && this.json[key] !== undefined;
  }

  forEach(visit: (value: CelValue, key: string) => void): void {
    for (const [key, value] of this.entries()) visit(value, key);
  }

  keys(): ArrayIterator<string> {
    return keysOf(this.json).values();
  }

  *values(): Generator<CelValue> {
    for (const [, value] of this.entries()) yield value;
  }

  *entries(): Generator<[string, CelValue]> {
    for (const key of keysOf(this.json)) yield [key, wrap(this.json[key] ?? null)];
  }

  [Symbol.iterator](): Generator<[string, CelValue]> {
    return this.entries();
  }
}
brand(JsonMap.prototype, celMap(new Map()));

/** A value that is not here: it can be passed on, no more. */
class KeptView {
  readonly json: KeptValue;

  constructor(json: KeptValue) {
    this.json = json;
  }

  get size(): number {
    throw this.#outside();
  }

  get(): never {
    throw this.#outside();
  }

  has(): never {
    throw this.#outside();
  }

  forEach(): never {
    throw this.#outside();
  }

  keys(): never {
    throw this.#outside();
  }

  values(): never {
    throw this.#outside();
  }

  entries(): never {
    throw this.#outside();
  }

  [Symbol.iterator](): never {
    throw this.#outside();
  }

  #outside(): Error {
    return new Error(`the value is ${keptText(this.json)}`);
  }
}
brand(KeptView.prototype, celMap(new Map()));

class JsonList {
  readonly json: readonly Json[];

  constructor(json: readonly Json[]) {
    this.json = json;
  }

  get size(): number {
    return this.json.length;
  }

  get(index: number): CelValue | undefined {
    const value = this.json[index];
    return value === undefined ? undefined : wrap(value);
  }

  *values(): Generator<CelValue> {
    for (const value of this.json) yield wrap(value);
  }

  [Symbol.iterator](): Generator<CelValue> {
    return this.values();
  }
}
brand(JsonList.prototype, celList([]));

/** The first `size` items of a storage that may have grown on behind them. */
class GrowingList {
  readonly storage: CelValue[];
  readonly size: number;

  constructor(storage: CelValue[]) {
    this.storage = storage;
    this.size = storage.length;
  }

  get(index: number): CelValue | undefined {
    return index < this.size ? this.storage[index] : undefined;
  }

  *values(): Generator<CelValue> {
    for (let at = 0; at < this.size; at += 1) yield this.storage[at] ?? null;
  }

  [Symbol.iterator](): Generator<CelValue> {
    return this.values();
  }
}
brand(GrowingList.prototype, celList([]));

const views = new WeakMap<object, CelMap | CelList>();

/**
 * The CEL value of a JSON value.
 *
 * @throws Error for what is not JSON.
 */
export function wrap(value: unknown): CelValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null) return null;
  if (typeof value !== 'object') throw new Error(`a ${typeof value} is not JSON`);
  const known = views.get(value);
  if (known !== undefined) return known;
  const view = viewOf(value) as unknown as CelMap | CelList;
  views.set(value, view);
  return view;
}

function viewOf(value: object): JsonMap | JsonList | KeptView {
  if (isArray(value)) return new JsonList(value as readonly Json[]);
  return isKept(value) ? new KeptView(value) : new JsonMap(value as JsonObject);
}

/** The JSON behind a view; `undefined` for a value that an expression has built. */
export function jsonOf(value: object): Json | undefined {
  if (value instanceof JsonMap || value instanceof JsonList) return value.json;
  return value instanceof KeptView ? (value.json as unknown as Json) : undefined;
}

/** Refuses to compare what is not here. @throws Error where a value is kept outside the history */
export function mustBeHere(value: unknown): void {
  if (value instanceof KeptView) value.get();
}

/** `left + right` of two lists, at the cost of `right` where `left` was itself built by `+`. @throws BudgetSpent */
export function concatLists(left: CelList, right: CelList): CelList {
  const grown: unknown = left;
  if (grown instanceof GrowingList && grown.storage.length === grown.size) {
    return append(grown.storage, right);
  }
  chargeValues(left.size);
  return append([...left], right);
}

function append(storage: CelValue[], items: CelList): CelList {
  chargeValues(items.size);
  for (const item of items) storage.push(item);
  return new GrowingList(storage) as unknown as CelList;
}

/** The values of a CEL list, each checked to be text. @throws Error */
export function textsOf(list: CelValue): string[] {
  if (!isCelList(list)) throw new Error('not a list');
  return Array.from(list, (item) => {
    if (typeof item !== 'string') throw new Error('the list holds a value that is not a string');
    return item;
  });
}
