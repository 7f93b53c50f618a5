/**
 * The triggers of a definition that an event can fire, in the order of the document; empty when there are none.
 */
import type { Definition, EventTrigger } from './types.ts';

export function eventTriggers({ trigger = [] }: Definition): EventTrigger[] {
  return [trigger].flat().filter((one): one is EventTrigger => 'event' in one && !('webhook' in one));
}
