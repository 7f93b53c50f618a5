/**
 * Waiting for the beginning of a run that waits for its key. Only its rows know of it until then.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import type { ClientParts } from './client-parts.ts';
import { statusOf } from './workflow-status.ts';

const LOOK_EVERY_MS = 250;

/**
 * Gives once the run has begun or has ended without, any other run at once: how many milliseconds that took.
 * @throws FermataError `run.not_found`, `run.wait_timeout`
 */
export async function untilBegun(parts: ClientParts, runId: string, timeoutMs = Infinity): Promise<number> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const { state, key, waitsFor } = await parts.store.runs.get(runId);
    if (state !== 'pending' || key === null) return waitedMs;
    if (waitsFor === null && (await statusOf(parts, runId)) !== 'unknown') return waitedMs;
    if (waitedMs >= timeoutMs) throw notEnded(runId, timeoutMs);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}

export function notEnded(runId: string, timeoutMs: number, cause?: unknown): FermataError {
  const message = `the run "${runId}" had not ended after ${timeoutMs} ms; it goes on`;
  return new FermataError('run.wait_timeout', message, { runId, timeoutMs }, { cause });
}
