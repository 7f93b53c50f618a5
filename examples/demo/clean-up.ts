/**
 * What the demo has opened, and how it ends: in reverse order, once, also on Ctrl-C.
 */
import { isFermataError } from 'fermata';
import { title } from './narrate.ts';

/** 128 + SIGINT, as shells count. */
const INTERRUPTED = 130;
/** npm passes a Ctrl-C on that the terminal has sent already, so the same one may come twice. */
const AGAIN_MS = 1000;

export interface CleanUp {
  /** Aborted by Ctrl-C or SIGTERM. A second one ends the process at once. */
  readonly interrupted: AbortSignal;
  /** Adds a thing to end; later ones end first. */
  add(end: () => Promise<void>): void;
  /** Runs `work`, then ends everything. Ends the process where it was interrupted (130) or failed (1). */
  around(work: () => Promise<void>): Promise<void>;
}

export function cleanUp(): CleanUp {
  const interruption = new AbortController();
  const ends: (() => Promise<void>)[] = [];
  let interruptedAt: number | null = null;
  const onSignal = (): void => {
    const now = performance.now();
    if (interruptedAt !== null && now - interruptedAt > AGAIN_MS) process.exit(INTERRUPTED);
    interruptedAt ??= now;
    interruption.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return {
    interrupted: interruption.signal,
    add: (end) => void ends.unshift(end),
    async around(work) {
      const stopped = once(interruption.signal);
      try {
        await Promise.race([work(), stopped]);
      } catch (error) {
        tell(error);
        process.exitCode = 1;
      }
      if (interruption.signal.aborted) title('Stopping');
      for (const end of ends) await end();
      // What was under way is left where it is; the servers that it used are gone.
      if (interruption.signal.aborted) process.exit(INTERRUPTED);
      if (process.exitCode === 1) process.exit();
    },
  };
}

/** An error of Fermata says what to do; of any other, the stack says where. */
function tell(error: unknown): void {
  console.error(isFermataError(error) ? `\nerror ${error.message} (${error.code})` : error);
}

/** Resolves when the signal is aborted. */
export function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
