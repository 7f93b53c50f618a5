/**
 * Events that reach a run, and which of its waits takes which.
 *
 * What it is: pure rules over the plain state of the waits that are open and of the events that are there.
 * What it is not: waiting (`nodes/event.ts`), or where events come from.
 *
 * Invariants:
 * 1. Synchronous: an event is given to a wait, or kept, before the walk goes on. So an event that is there when a deadline
 *    is handled comes before it.
 * 2. A run takes an event once, however often and from wherever it comes. The event that began the run is taken.
 * 3. Of several waits that mean an event the one that began first takes it; a wait takes what arrived first. Until it
 *    knows all that arrived before an event, the event is kept for it.
 * 4. What no wait takes is kept for a later one, within limits; the oldest give way. An event that was published is found
 *    again when a later wait asks for what is there.
 * 5. Thousands may come in one workflow task, which has seconds: what is kept is measured once, and an event that came
 *    before is offered again only when a wait opens, has asked, or ends.
 */
import { correlates } from '../definitions/correlation.ts';
import type { ArrivedEvent } from '../definitions/event-waits.ts';
import { isFermataError } from '../definitions/fermata-error.ts';
import { isObject } from '../definitions/json/json-kinds.ts';
import { toJson } from '../definitions/json/json-value.ts';
import { jsonBytes, utf8Length } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import { isoTime, parseTimestamp } from '../definitions/timestamps.ts';
import type { CloudEvent, Json, JsonObject } from '../definitions/types.ts';
import type { OpenEventWait, RunContext } from './context.ts';
import type { EventInbox } from './event-state.ts';
import { knownBytes } from './known-bytes.ts';

/** Events and bytes that a run keeps for later waits. */
const MOST_KEPT = 100;
const KEPT_BYTES = 64 * 1024;
/** The same of those on which a wait cannot decide yet: a history that rolls over has to take them along. */
const MOST_UNDECIDED = 1_000;
const UNDECIDED_BYTES = 512 * 1024;
/** Ids of events taken that a run remembers; beyond them the store knows. */
const MOST_TAKEN = 1_000;
const TAKEN_BYTES = 64 * 1024;

/** Events on which a wait cannot decide before it has asked what came earlier. */
const undecidedIn = new WeakMap<EventInbox, Set<ArrivedEvent>>();

/** What a run keeps about events. */
export function inboxOf({ checkpoint }: RunContext): EventInbox {
  checkpoint.events ??= { kept: [], taken: [], ended: [] };
  return checkpoint.events;
}

/** Takes what came by signal; what is no event is ignored, since nobody is there to be told. */
export function receiveEvent(run: RunContext, value: unknown, delivery: unknown): void {
  const now = run.effects.now();
  const event = readEvent(value, now);
  if (event === null || isTaken(run, event.id)) return;
  const { at, lookUp } = isObject(delivery as Json) ? (delivery as JsonObject) : {};
  if (lookUp === true) return askAgain(run, event.type);
  const one = { event, at: (typeof at === 'string' ? parseTimestamp(at) : null) ?? now };
  if (!keep(run, one)) return;
  give(run, [one]);
  trim(run);
}

/** Adds what a wait was told when it asked, gives all that is there to waits, and keeps the rest. */
export function addEvents(run: RunContext, arrived: readonly ArrivedEvent[]): void {
  for (const one of arrived) keep(run, one);
  giveOut(run);
  trim(run);
}

/** Puts an event among those that are kept, in order of arrival; `false`: the run has it. */
function keep(run: RunContext, one: ArrivedEvent): boolean {
  const { kept } = inboxOf(run);
  if (isTaken(run, one.event.id) || kept.some(({ event }) => event.id === one.event.id)) return false;
  const behind = kept.findIndex(({ at }) => at > one.at);
  kept.splice(behind < 0 ? kept.length : behind, 0, one);
  return true;
}

/**
 * The oldest give way, but none that a wait may still want. Of those, past limits of their own, the latest do, and the
 * wait asks again.
 */
function trim(run: RunContext): void {
  const { kept } = inboxOf(run);
  const undecided = undecidedOf(run);
  let bytes = kept.reduce((sum, one) => sum + bytesOf(one), 0);
  while (kept.length > MOST_KEPT || bytes > KEPT_BYTES) {
    const oldest = kept.findIndex((one) => !undecided.has(one));
    if (oldest < 0) break;
    bytes -= kept.splice(oldest, 1).reduce((sum, one) => sum + bytesOf(one), 0);
  }
  while (kept.length > MOST_UNDECIDED || bytes > UNDECIDED_BYTES) {
    const latest = kept.pop() as ArrivedEvent;
    bytes -= bytesOf(latest);
    undecided.delete(latest);
    askAgain(run, latest.event.type);
  }
}

/** Gives the events that are kept to the waits that mean them. To be called when a wait opens, has asked, or ends. */
export function giveOut(run: RunContext): void {
  undecidedOf(run).clear();
  give(run, inboxOf(run).kept);
}

/** Gives some of the events that are kept; one on which no wait can decide before it has asked is remembered as such. */
function give(run: RunContext, offered: readonly ArrivedEvent[]): void {
  if (run.eventWaits.size === 0) return;
  const { kept, taken } = inboxOf(run);
  const waits = [...run.eventWaits.values()].sort((one, other) => one.seq - other.seq);
  const given = new Set<ArrivedEvent>();
  for (const one of offered) {
    const taker = takerOf(one, waits);
    if (taker === 'undecided') undecidedOf(run).add(one);
    if (taker === 'undecided' || taker === null) continue;
    taker.state.taken = one.event;
    taken.push(one.event.id);
    given.add(one);
  }
  if (given.size === 0) return;
  kept.splice(0, kept.length, ...kept.filter((one) => !given.has(one)));
  while (taken.length > MOST_TAKEN || jsonBytes(taken) > TAKEN_BYTES) taken.shift();
}

function takerOf({ event, at }: ArrivedEvent, waits: readonly OpenEventWait[]): OpenEventWait | 'undecided' | null {
  for (const wait of waits) {
    const { state } = wait;
    if (state.taken !== null || (state.since !== null && at < state.since)) continue;
    if (!state.types.includes(event.type) || !correlates(state.correlation, event)) continue;
    if (state.stale || (state.known !== null && at > state.known)) return 'undecided';
    if (wait.passes(event)) return wait;
  }
  return null;
}

function undecidedOf(run: RunContext): Set<ArrivedEvent> {
  const inbox = inboxOf(run);
  const known = undecidedIn.get(inbox) ?? new Set();
  undecidedIn.set(inbox, known);
  return known;
}

/** In the list of what is kept, with a comma. */
function bytesOf(one: ArrivedEvent): number {
  return knownBytes(one) + 1;
}

/** Whether a wait has still to ask what is there. */
export function hasToAsk({ known, stale }: OpenEventWait['state']): boolean {
  return known !== null || stale;
}

function askAgain(run: RunContext, type: string): void {
  for (const { state } of run.eventWaits.values()) if (state.types.includes(type)) state.stale = true;
}

function isTaken(run: RunContext, id: string): boolean {
  return id === run.start.event?.id || inboxOf(run).taken.includes(id);
}

/** An event from a door that anybody may write to; `null`: it is none. */
function readEvent(value: unknown, now: number): CloudEvent | null {
  const fields = readObject(value);
  if (fields === null) return null;
  const { id, type, source = 'signal', subject, time = isoTime(now), data = null } = fields;
  if (typeof id !== 'string' || typeof type !== 'string' || typeof source !== 'string') return null;
  if (typeof time !== 'string' || !(subject === undefined || typeof subject === 'string')) return null;
  if ([id, type].some((text) => text === '' || utf8Length(text) > LIMITS.idBytes)) return null;
  return { id, type, source, ...(subject === undefined ? {} : { subject }), time, data };
}

function readObject(value: unknown): JsonObject | null {
  try {
    const json = toJson(value);
    return isObject(json) && jsonBytes(json) <= LIMITS.inputBytes ? json : null;
  } catch (error) {
    if (!isFermataError(error)) throw error;
    return null;
  }
}
