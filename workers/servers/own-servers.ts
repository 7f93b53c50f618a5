/**
 * A group of servers that this process starts, watches over and stops together.
 *
 * 1. All or nothing: when one does not start, those that did are stopped before the error leaves.
 * 2. They end with this process, however it ends (`child-guard.ts`).
 */
import { rmSync } from 'node:fs';
import { startChildGuard } from './child-guard.ts';
import type { Environment } from './environment.ts';
import { DEFAULT_TEMPORAL_PORT, DEFAULT_UI_PORT } from './find-temporal.ts';
import { locateTool } from './locate-tool.ts';
import type { Log } from './log.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { startTemporalServer, type TemporalServer, type TemporalServerOptions } from './temporal-server.ts';
import { TEMPORAL_CLI } from './tools.ts';

export interface OwnServersOptions {
  /** Folder of logs and state; removed at the end when not persistent. */
  readonly folder: string;
  readonly persistent: boolean;
  /** Namespace of a Temporal server to start; null for none. */
  readonly temporal: { readonly namespace: string } | null;
  readonly postgres: boolean;
  readonly ports: 'usual' | 'free';
  readonly env: Environment;
  readonly log: Log;
}

export interface OwnServers {
  readonly temporal: TemporalServer | null;
  readonly postgres: PostgresServer | null;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** @throws FermataError `server.unavailable` */
export async function startOwnServers(options: OwnServersOptions): Promise<OwnServers> {
  const { folder, persistent, ports, env, log } = options;
  const guard = startChildGuard();
  if (!persistent) guard.watchFolder(folder);
  const shared = { folder, persistent, env, log, guard };
  const starting = [
    startTemporal({ ...shared, ...USUAL_TEMPORAL[ports] }, options.temporal),
    options.postgres ? startPostgresServer({ ...shared, ...USUAL_POSTGRES[ports] }) : NOTHING,
  ] as const;
  const stopAll = async () => {
    const settled = await Promise.allSettled(starting);
    await Promise.all(settled.map(async (one) => (one.status === 'fulfilled' ? one.value?.stop() : undefined)));
    if (!persistent) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    guard.close();
  };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopAll();
    return stopping;
  };
  try {
    const [temporal, postgres] = await Promise.all(starting);
    return { temporal, postgres, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const USUAL_TEMPORAL = { usual: { ports: { frontend: DEFAULT_TEMPORAL_PORT, ui: DEFAULT_UI_PORT } }, free: {} };
/** Not 5432, which an installed PostgreSQL would want at its next start. */
const USUAL_POSTGRES = { usual: { port: 54_329 }, free: {} };

const NOTHING = Promise.resolve(null);

type Shared = Omit<TemporalServerOptions, 'executable' | 'namespace' | 'ui'>;

async function startTemporal(shared: Shared, wanted: OwnServersOptions['temporal']): Promise<TemporalServer | null> {
  if (wanted === null) return null;
  const executable = await locateTool(TEMPORAL_CLI, shared);
  return startTemporalServer({ ...shared, ...wanted, executable, ui: shared.persistent });
}
