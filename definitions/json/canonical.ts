/**
 * JSON as one text, whatever the order in which its keys were written.
 */
import type { Json } from '../types.ts';
import { isList, isObject } from './json-kinds.ts';

/** Compact JSON text with the keys of every object sorted: equal values give equal texts, others give others. */
export function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}
