/**
 * The triggers of a document, read tolerantly.
 */
import type { Keys } from '../issue.ts';
import type { Json, JsonObject } from '../types.ts';
import { isObject } from './outline.ts';

export interface PlacedTrigger {
  readonly keys: Keys;
  readonly trigger: JsonObject;
}

/** The triggers of a document with their places; one trigger may stand without a list. */
export function triggersOf(value: Json | undefined): PlacedTrigger[] {
  if (isObject(value)) return [{ keys: ['trigger'], trigger: value }];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((trigger, index) =>
    isObject(trigger) ? [{ keys: ['trigger', index], trigger }] : [],
  );
}
