/**
 * An effect that is no command and takes a slot all the same, since it is an activity: at most `LIMITS.commandsInFlight`
 * of a run are under way.
 */
import { isRolloverDue } from './context.ts';
import { SUSPENDED } from './outcome.ts';
import type { Visit } from './scope.ts';

/** Carries the effect out once a slot is free; `SUSPENDED`: the run goes over into a fresh history first. */
export async function inSlot<T>(
  { run, scope, label }: Visit<unknown>,
  effect: () => Promise<T>,
): Promise<{ readonly kind: 'done'; readonly value: T } | typeof SUSPENDED> {
  const ticket = run.slots.take();
  if (ticket !== null) {
    const ready = (): boolean => ticket.granted || isRolloverDue(run);
    try {
      await scope.effects.wait({ untilMs: null, ready, summary: label });
    } catch (rejection) {
      run.slots.giveBack(ticket);
      throw rejection;
    }
    if (!ticket.granted) {
      run.slots.giveBack(ticket);
      return SUSPENDED;
    }
  }
  try {
    return { kind: 'done', value: await effect() };
  } finally {
    run.slots.free();
  }
}
