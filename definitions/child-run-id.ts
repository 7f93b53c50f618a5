/**
 * Ids of runs that runs begin: readable, and the same whenever the same visit asks.
 *
 * `<child>/<visit>`, with the tenant before it as in every run id, where `child` is the definition id or workflow type and
 * `visit` the visit's id `<run id>/<path><node id>/<visit>` with `:` for `/`: `ship/order:77:pack:1`.
 *
 * Invariants:
 * 1. Pure, so that walker and simulator know an id before the run is there.
 * 2. Different visits give different ids: what is cut or cleaned gets a hash behind a `~`, which no clean id can hold.
 */
import { LIMITS } from './limits.ts';
import { DEFAULT_TENANT } from './wire.ts';

/** What keeps its meaning when `/` becomes `:`. */
const SAFE_VISIT = /^[A-Za-z0-9._/-]+$/;
const SAFE_CHILD = /^(?!\.+$)[A-Za-z0-9._-]+$/;
const HASH_DIGITS = 16;

/** @param visitId of the `workflow` node that begins it, its tenant in front where it is not `default` */
export function childRunId(tenant: string, child: string, visitId: string): string {
  const ofTenant = tenant === DEFAULT_TENANT ? '' : `${tenant}/`;
  const visit = visitId.slice(ofTenant.length);
  return `${ofTenant}${part(child, SAFE_CHILD)}/${part(visit, SAFE_VISIT)}`;
}

function part(text: string, safe: RegExp): string {
  if (safe.test(text) && text.length <= LIMITS.idPartBytes) return text.replaceAll('/', ':');
  const kept = text
    .replaceAll('/', ':')
    .replace(/[^A-Za-z0-9._:-]+/g, '-')
    .slice(0, LIMITS.idPartBytes - HASH_DIGITS - 1)
    .replace(/[-.:]+$/, '');
  return `${kept}~${hash(text)}`;
}

/** 64 bits that tell texts apart; no protection against somebody who looks for two that are alike. */
function hash(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    other = Math.imul(other ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(HASH_DIGITS / 2, '0')).join('');
}
