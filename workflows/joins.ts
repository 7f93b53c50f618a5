/**
 * Joins: when parts that are walked side by side have come to a result, and to which.
 *
 * What it is: pure rules over how the parts ended so far (`docs/language.md`, section 4.1).
 * What it is not: walking, or stopping those that lost; that is `fan.ts`.
 *
 * Invariants:
 * 1. Parts are counted, never names of steps, so a part may take any path inside.
 * 2. A part that is optional cannot fail a join, and does not count as a success.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Join, Json, JsonObject } from '../definitions/types.ts';
import type { Fan, PartEnd, Verdict } from './fan-state.ts';

/** What a rule sees. */
export interface Parts {
  readonly total: number;
  /** The holder's id, for errors that are its own. */
  readonly nodeId: string;
  readonly join: Join;
  isOptional(index: number): boolean;
  /** What people call a part: the branch id, or the index of an item. */
  label(index: number): string;
}

/** How the parts ended so far. */
export type Tally = Pick<Fan, 'ends' | 'ended' | 'completed'>;

const NONE: Tally = { ends: [], ended: 0, completed: 0 };

/** What a join that waits for all makes of no parts, and one that waits for some. */
export function verdictOnNone(parts: Parts): Verdict | null {
  const needed = successesNeeded(parts.join);
  if (needed !== null && needed > parts.total) return unreachable(parts, NONE, needed);
  return parts.total === 0 ? { kind: 'joined', winner: null } : null;
}

/** What the join has come to now that the part `index` has ended; `null`: the others are waited for. */
export function verdictOn(index: number, fan: Tally, parts: Parts): Verdict | null {
  const end = fan.ends[index] as PartEnd;
  const { join, total } = parts;
  if (join === 'first' && !(end.status === 'failed' && parts.isOptional(index))) {
    return end.status === 'completed' ? { kind: 'joined', winner: index } : { kind: 'error', error: end.error };
  }
  if (join === 'all' && end.status !== 'completed' && !parts.isOptional(index)) {
    return { kind: 'error', error: withCompleted(end.error, fan, parts) };
  }
  const needed = successesNeeded(join);
  if (needed !== null) {
    if (fan.completed >= needed) return { kind: 'joined', winner: join === 'any' ? index : null };
    if (total - (fan.ended - fan.completed) < needed) return unreachable(parts, fan, needed);
  }
  return fan.ended === total ? { kind: 'joined', winner: null } : null;
}

/** Whether a join gives only what its winner left. */
export function hasWinner(join: Join): boolean {
  return join === 'any' || join === 'first';
}

/** Whether a join gives how each part ended, not only its output. */
export function givesEnds(join: Join): boolean {
  return join === 'settled' || typeof join === 'object';
}

/** What a join gives of one part: how it ended, or only its output. */
export function shownEnd(join: Join, end: PartEnd | null | undefined): Json {
  if (givesEnds(join)) return endAsJson(end);
  return end?.status === 'completed' ? end.output : null;
}

/** A part that never ended was cancelled. */
function endAsJson(end: PartEnd | null | undefined): Json {
  if (!end) return { status: 'cancelled', output: null, error: null };
  if (end.status === 'completed') return { status: end.status, output: end.output, error: null };
  return { status: end.status, output: null, error: end.error as unknown as Json };
}

function successesNeeded(join: Join): number | null {
  if (join === 'any') return 1;
  return typeof join === 'object' ? join.count : null;
}

function unreachable(parts: Parts, fan: Tally, needed: number): Verdict {
  const { nodeId, total } = parts;
  const message = `${needed} of ${total} were to succeed; that cannot be reached any more`;
  const first = fan.ends.find((end) => end?.status === 'failed');
  const cause = first && 'error' in first ? { cause: first.error } : {};
  return { kind: 'error', error: { type: 'COUNT_UNREACHABLE', message, nodeId, details: tally(fan, parts), ...cause } };
}

/** The first error in time, with what the parts that had completed by then left behind. */
function withCompleted(error: ErrorInfo, fan: Tally, parts: Parts): ErrorInfo {
  if (fan.completed === 0) return error;
  const { completed } = tally(fan, parts);
  return { ...error, details: { ...detailsOf(error), completed } };
}

/** What the parts have come to, for the details of an error: outputs by part, and the parts that failed. */
export function tally(fan: Tally, parts: Parts): { completed: { [label: string]: Json }; failed: string[] } {
  const completed: { [label: string]: Json } = {};
  const failed: string[] = [];
  for (const [index, end] of fan.ends.entries()) {
    if (end?.status === 'completed') completed[parts.label(index)] = end.output;
    else if (end?.status === 'failed') failed.push(parts.label(index));
  }
  return { completed, failed };
}

function detailsOf({ details }: ErrorInfo): { readonly [key: string]: Json } {
  if (details === undefined || details === null) return {};
  return typeof details === 'object' && !Array.isArray(details) ? (details as JsonObject) : { details };
}
