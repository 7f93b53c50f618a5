/**
 * A limit of time on a scope: a durable timer that cancels it.
 *
 * The clock decides, not the timer: whether a scope is past its limit is asked of `now()`, and the timer only wakes it.
 */
import type { CancellableEffects, Effects } from './effects.ts';

export interface TimeLimit {
  /** Outlives `scope`. */
  readonly effects: Effects;
  /** What people see on the timer. */
  readonly summary: string;
  /** Is cancelled at the limit. */
  readonly scope: CancellableEffects;
}

/** Arms the timer; its events exist only where there is a limit. Gives what to cancel once it is no longer needed. */
export function cancelAt(limitAt: number, { effects, summary, scope }: TimeLimit): CancellableEffects | null {
  if (limitAt === Infinity) return null;
  const timer = effects.openScope();
  const passed = (): void => scope.cancel();
  void timer.run(() => timer.wait({ untilMs: limitAt, summary })).then(passed, () => undefined);
  return timer;
}
