/**
 * Which kind of JSON a value is, for code that reads documents tolerantly.
 */
import type { Json, JsonObject } from '../types.ts';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** `Array.isArray` would make the items of a read-only list `any`. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The items of a list; none for anything else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
