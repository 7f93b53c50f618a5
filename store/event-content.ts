/**
 * Whether two deliveries of one event id say the same.
 *
 * Invariants:
 * 1. The order of keys does not matter: a door that prints JSON anew delivers the same event.
 * 2. `time` is compared only where both deliveries gave one; a door fills it in where it was absent.
 */
import { canonicalJson } from '../definitions/json/canonical.ts';
import type { CloudEvent } from '../definitions/types.ts';
import { sha256 } from './definition-hash.ts';

/** SHA-256 of everything in the event but its id and time, in lower-case hex. */
export function eventContentHash(event: CloudEvent): string {
  return sha256(canonicalJson([event.type, event.source, event.subject ?? null, event.data]));
}
