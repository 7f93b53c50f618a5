/**
 * The triggers of a document, read tolerantly.
 */
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { Json, JsonObject } from '../types.ts';

export interface PlacedTrigger {
  readonly keys: Keys;
  readonly trigger: JsonObject;
}

/** The triggers of a document with their places; one trigger may stand without a list. */
export function triggersOf(value: Json | undefined): PlacedTrigger[] {
  if (isObject(value)) return [{ keys: ['trigger'], trigger: value }];
  if (!isList(value)) return [];
  return value.flatMap((trigger, index) => (isObject(trigger) ? [{ keys: ['trigger', index], trigger }] : []));
}
