/**
 * Waiting for a slot, and effects that are no command and take one all the same, since they are activities: at most
 * `LIMITS.commandsInFlight` of a run are under way.
 */
import { isRolloverDue, type RunContext } from './context.ts';
import type { Effects, Wait } from './effects.ts';
import { SUSPENDED } from './outcome.ts';
import type { Visit } from './scope.ts';
import type { Ticket } from './slots.ts';

type Waiting = Pick<Wait, 'summary'> & { readonly effects: Effects };

/** Whether the slot has come; `false`: the run goes over into a fresh history first. Rejects when cancelled. */
export async function turnOf(ticket: Ticket, run: RunContext, { effects, summary }: Waiting): Promise<boolean> {
  const ready = (): boolean => ticket.granted || isRolloverDue(run);
  try {
    await effects.wait({ untilMs: null, ready, summary });
  } catch (rejection) {
    run.slots.giveBack(ticket);
    throw rejection;
  }
  if (!ticket.granted) run.slots.giveBack(ticket);
  return ticket.granted;
}

/** Carries the effect out once a slot is free; `SUSPENDED`: the run goes over into a fresh history first. */
export async function inSlot<T>(
  { run, scope, label }: Visit<unknown>,
  effect: () => Promise<T>,
): Promise<{ readonly kind: 'done'; readonly value: T } | typeof SUSPENDED> {
  const ticket = run.slots.take();
  if (ticket !== null && !(await turnOf(ticket, run, { effects: scope.effects, summary: label }))) return SUSPENDED;
  try {
    return { kind: 'done', value: await effect() };
  } finally {
    run.slots.free();
  }
}
