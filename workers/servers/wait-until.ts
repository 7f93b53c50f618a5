/**
 * Waits for a condition outside this process (a port that opens, a file that changes), which only polling can see.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Polls `probe` until it gives a value other than null; null when `timeoutMs` has passed. */
export async function waitUntil<T>(
  probe: () => Promise<T | null> | T | null,
  options: { timeoutMs: number; everyMs?: number },
): Promise<T | null> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== null) return value;
    if (performance.now() >= deadline) return null;
    await delay(options.everyMs ?? 25);
  }
}
