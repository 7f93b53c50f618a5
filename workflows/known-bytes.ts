/**
 * Sizes of parts of a run's state that are asked for with every message: each is measured once.
 *
 * What it is: memory of a pure function, by identity. What is measured here changes no more.
 */
import { jsonBytes } from '../definitions/json/size.ts';
import type { Json } from '../definitions/types.ts';

const sizes = new WeakMap<object, number>();

/** Bytes of `value` as JSON. */
export function knownBytes(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const bytes = jsonBytes(value as Json);
  sizes.set(value, bytes);
  return bytes;
}

const lists = new WeakMap<readonly object[], { readonly length: number; readonly bytes: number }>();

/** Bytes of the items of a list that changes only by growing at its end. */
export function growingBytes(list: readonly object[]): number {
  let { length, bytes } = lists.get(list) ?? { length: 0, bytes: 0 };
  if (length === list.length) return bytes;
  for (; length < list.length; length++) bytes += jsonBytes(list[length] as Json);
  lists.set(list, { length, bytes });
  return bytes;
}
