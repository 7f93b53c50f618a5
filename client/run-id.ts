/**
 * Run ids: readable, the same for the same cause, and safe in a URL, a path and a log.
 *
 * `<definition id>/<event or start id>`, with `<tenant>/` before it where the tenant is not `default`.
 *
 * Invariants:
 * 1. Different (tenant, definition, id) give different run ids: an id that is cut or cleaned gets a hash behind a `~`,
 *    which no id that is kept as it is can hold.
 * 2. A run id has two parts for the tenant `default` and three for others, so a task id tells which run it belongs to.
 */
import { createHash } from 'node:crypto';
import { LIMITS } from '../definitions/limits.ts';
import { DEFAULT_TENANT } from '../definitions/wire.ts';

/** A part made of dots only would be a step in a path. */
const SAFE_PART = /^(?!\.+$)[A-Za-z0-9._:-]+$/;
const HASH_DIGITS = 24;

/** The run that an event, or a start with an id of its own, begins. */
export function runIdFor(tenant: string, definitionId: string, startId: string): string {
  const id = `${definitionId}/${safePart(startId)}`;
  return tenant === DEFAULT_TENANT ? id : `${tenant}/${id}`;
}

/** One part of a run id: `id` itself, or what of it is safe and a hash of the whole. */
export function safePart(id: string): string {
  if (SAFE_PART.test(id) && id.length <= LIMITS.idPartBytes) return id;
  const kept = id
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9._:-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, LIMITS.idPartBytes - HASH_DIGITS - 1)
    .replace(/[-.]+$/, '');
  return `${kept}~${createHash('sha256').update(id, 'utf8').digest('hex').slice(0, HASH_DIGITS)}`;
}

/** Where a task is. */
export interface TaskPlace {
  readonly runId: string;
  /** Branch and item segments, `""` at the top. */
  readonly path: string;
  readonly nodeId: string;
  readonly visit: number;
}

/** The places that a task id `<run id>/<path>/<node id>/<visit>` names, or `null` where it is none of this tenant. */
export function readTaskId(tenant: string, taskId: string): TaskPlace | null {
  const parts = taskId.split('/');
  const runParts = tenant === DEFAULT_TENANT ? 2 : 3;
  const nodeId = parts.at(-2);
  const visit = Number(parts.at(-1));
  if (parts.length < runParts + 2 || nodeId === undefined || !Number.isInteger(visit) || visit < 1) return null;
  if (tenant !== DEFAULT_TENANT && parts[0] !== tenant) return null;
  const path = parts.slice(runParts, -2).map((part) => `${part}/`);
  return { runId: parts.slice(0, runParts).join('/'), path: path.join(''), nodeId, visit };
}
