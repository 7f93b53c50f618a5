/**
 * Keeps a server of ours running: one that ends unasked is started again at the same place.
 *
 * Invariants:
 * 1. After {@link MOST_DEATHS} deaths within {@link WITHIN_MS} it is given up: something keeps killing it.
 * 2. Once stopped it stays stopped, also when it is just being started again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { FermataError } from '../../definitions/fermata-error.ts';
import { reasonOf } from '../../definitions/reason-of.ts';
import type { Log } from './log.ts';

export interface Mortal {
  readonly pid: number;
  /** Resolves when its process has ended, asked or not. */
  readonly exit: Promise<void>;
  /** The last lines of its log. */
  logTail(): string;
  stop(): Promise<void>;
}

export interface KeepAliveOptions<Server extends Mortal> {
  /** What messages call it. */
  readonly name: string;
  /** Starts it where `before` was; `null`: for the first time. */
  readonly start: (before: Server | null) => Promise<Server>;
  readonly log: Log;
  readonly onRestart: (server: Server) => void | Promise<void>;
  readonly onGiveUp: (error: FermataError) => void;
  /** Milliseconds, ever growing. Default: the monotonic clock. */
  readonly now?: () => number;
  /** Default: that of Node's timers. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

export interface KeptAlive<Server> {
  /** As it runs now. */
  current(): Server;
  stop(): Promise<void>;
}

export const MOST_DEATHS = 3;
export const WITHIN_MS = 60_000;
/** After a start that failed: what a killed server left behind needs a moment to go. */
const PAUSE_MS = 2_000;

/** @throws what the first start throws */
export async function keepAlive<Server extends Mortal>(options: KeepAliveOptions<Server>): Promise<KeptAlive<Server>> {
  let server = await options.start(null);
  let stopped = false;
  const watching = watch(options, {
    server: () => server,
    replace: (next) => {
      server = next;
    },
    stopped: () => stopped,
  });
  return {
    current: () => server,
    async stop() {
      stopped = true;
      await server.stop();
      await watching;
    },
  };
}

interface Watched<Server> {
  server(): Server;
  replace(next: Server): void;
  stopped(): boolean;
}

async function watch<Server extends Mortal>(
  options: KeepAliveOptions<Server>,
  watched: Watched<Server>,
): Promise<void> {
  const { name, start, log, onRestart, onGiveUp, now = () => performance.now(), pause = delay } = options;
  const deaths: number[] = [];
  let fault = '';
  for (;;) {
    const dead = watched.server();
    await dead.exit;
    if (watched.stopped()) return;
    deaths.push(now());
    const recent = deaths.filter((at) => now() - at < WITHIN_MS).length;
    if (recent >= MOST_DEATHS) return onGiveUp(givenUp(name, recent, fault || dead.logTail()));
    log(`${name} (process ${dead.pid}) has ended by itself; starting it again`);
    if (fault !== '') await pause(PAUSE_MS);
    try {
      const next = await start(dead);
      watched.replace(next);
      if (watched.stopped()) return await next.stop();
      await onRestart(next);
      fault = '';
      log(`${name} runs again, and runs go on where they were`);
    } catch (error) {
      fault = reasonOf(error);
      log(`${name} did not start again: ${fault}`);
    }
  }
}

function givenUp(name: string, deaths: number, tail: string): FermataError {
  const message = `${name} ended ${deaths} times within ${WITHIN_MS / 1000} s and is given up; what keeps ending it has to be found first (memory, disk, another process). The last of it:\n${tail}`;
  return new FermataError('server.unavailable', message, { server: name, deaths });
}
