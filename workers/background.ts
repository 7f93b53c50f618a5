/**
 * Work that a worker does beside its runs: finishing events, delivering decisions, mending records.
 *
 * Invariants:
 * 1. A task never overlaps with itself; one that fails is logged and comes again with the next turn.
 * 2. `stop()` waits for what is under way.
 */
import type { WorkerLog } from './log.ts';

export interface BackgroundTask {
  readonly name: string;
  /** Pause between the end of a turn and the next one. */
  readonly everyMs: number;
  /** One turn. Gives how many things it did, for the log. */
  run(): Promise<number>;
  /** Hears that there is something to do, and calls `wake` for a turn at once; until it is closed. */
  listen?(wake: () => void): { close(): Promise<void> };
}

export interface Background {
  stop(): Promise<void>;
}

/** Runs each task over and over until `stop()`, the first time at once. */
export function startBackground(tasks: readonly BackgroundTask[], log: WorkerLog): Background {
  const stopping = new AbortController();
  const loops = tasks.map((task) => repeat(task, log, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat(task: BackgroundTask, log: WorkerLog, stop: AbortSignal): Promise<void> {
  const bell = new Bell();
  stop.addEventListener('abort', bell.ring);
  const listener = task.listen?.(bell.ring);
  while (!stop.aborted) {
    try {
      const done = await task.run();
      if (done > 0) log.info(`${task.name}: ${done}`);
    } catch (error) {
      log.warn(`${task.name} failed; trying again in ${task.everyMs} ms`, { error: String(error) });
    }
    await bell.wait(task.everyMs, stop);
  }
  await listener?.close();
}

/** A pause that can be cut short. A ring between two pauses cuts the next one. */
class Bell {
  #rung = false;
  #end: (() => void) | null = null;

  readonly ring = (): void => {
    this.#rung = true;
    this.#end?.();
  };

  async wait(ms: number, stop: AbortSignal): Promise<void> {
    if (!this.#rung && !stop.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#end = () => (clearTimeout(timer), resolve());
      });
    }
    this.#end = null;
    this.#rung = false;
  }
}
