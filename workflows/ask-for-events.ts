/**
 * What a wait asks the store: to know of it, and for the events that are there already, page by page.
 *
 * Invariants:
 * 1. Asking is repeated until the store has told all; how far it has is part of the wait's state.
 * 2. Waits that are over are told with the next that asks, and kept until it has been answered.
 */
import type { WaitAnswer } from '../definitions/event-waits.ts';
import type { EventState } from './event-state.ts';
import { addEvents, inboxOf } from './events.ts';
import { inSlot } from './in-slot.ts';
import { redact } from './redact.ts';
import type { Visit } from './scope.ts';

/** Registers the wait, and takes in what is there already; `false`: the run goes over into a fresh history first. */
export async function askForEvents(visit: Visit<unknown>, state: EventState, filter: string | null): Promise<boolean> {
  const turn = await inSlot(visit, () => register(visit, state, filter));
  if (turn.kind === 'suspended') return false;
  const { events, next } = turn.value;
  state.after = next;
  state.known = next === null ? null : (events.at(-1)?.at ?? state.known);
  addEvents(visit.run, events);
  return true;
}

async function register(
  { run, scope, nodeId, label }: Visit<unknown>,
  state: EventState,
  filter: string | null,
): Promise<WaitAnswer> {
  const inbox = inboxOf(run);
  const ended = [...inbox.ended];
  if (state.stale) state.after = null;
  state.stale = false;
  const { waitId, types, correlation, since, after } = state;
  const answer = await scope.effects.registerWait({
    waitId,
    runId: run.start.run.id,
    nodeId,
    types,
    correlation,
    shown: redact(run, correlation),
    filter,
    since,
    runStartedAt: run.checkpoint.startedAt,
    ended,
    after,
    summary: label,
  });
  inbox.ended.splice(0, inbox.ended.length, ...inbox.ended.filter((one) => !ended.includes(one)));
  return answer;
}
