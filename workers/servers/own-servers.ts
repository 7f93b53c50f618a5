/**
 * A group of servers that this process starts, watches over and stops together.
 *
 * 1. All or nothing: when one does not start, those that did are stopped before the error leaves.
 * 2. They end with this process, however it ends (`child-guard.ts`).
 * 3. Persistent ones that end unasked are started again at the same addresses (`keep-alive.ts`).
 */
import { rmSync } from 'node:fs';
import { startChildGuard } from './child-guard.ts';
import type { FermataError } from '../../definitions/fermata-error.ts';
import type { Environment } from './environment.ts';
import { DEFAULT_TEMPORAL_PORT, DEFAULT_UI_PORT } from './find-temporal.ts';
import { keepAlive } from './keep-alive.ts';
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
  /** A server was started again, under another process id. */
  readonly onRestart?: (servers: ServersNow) => Promise<void>;
  /** One that kept ending is not started again. */
  readonly onGiveUp?: (error: FermataError) => void;
}

/** Null for what is not ours. */
export interface ServersNow {
  readonly temporal: TemporalServer | null;
  readonly postgres: PostgresServer | null;
}

export interface OwnServers extends ServersNow {
  /** Idempotent. */
  stop(): Promise<void>;
}

/** @throws FermataError `server.unavailable` */
export async function startOwnServers(options: OwnServersOptions): Promise<OwnServers> {
  const { folder, persistent, env, log } = options;
  const guard = startChildGuard();
  if (!persistent) guard.watchFolder(folder);
  const shared = { folder, persistent, env, log, guard };
  const running: { temporal: TemporalServer | null; postgres: PostgresServer | null } = {
    temporal: null,
    postgres: null,
  };
  const starting = [
    startTemporal(shared, options).then((start) => startKept(options, running, { name: 'temporal', start })),
    startKept(options, running, { name: 'postgres', start: startPostgres(shared, options) }),
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
    await Promise.all(starting);
    return { ...running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const USUAL_TEMPORAL = { usual: { ports: { frontend: DEFAULT_TEMPORAL_PORT, ui: DEFAULT_UI_PORT } }, free: {} };
/** Not 5432, which an installed PostgreSQL would want at its next start. */
const USUAL_POSTGRES = { usual: { port: 54_329 }, free: {} };

const NAMES = { temporal: 'the Temporal server', postgres: 'PostgreSQL' } as const;

type Shared = Omit<TemporalServerOptions, 'executable' | 'namespace' | 'ui' | 'ports'>;
/** Starts a server, where `before` was; null for none. */
type Start<Server> = ((before: Server | null) => Promise<Server>) | null;

/** Starts a server and writes it down; a persistent one is watched over from then on. */
async function startKept<Name extends keyof ServersNow>(
  { persistent, log, onRestart, onGiveUp }: OwnServersOptions,
  running: { -readonly [Each in keyof ServersNow]: ServersNow[Each] },
  { name, start }: { readonly name: Name; readonly start: Start<NonNullable<ServersNow[Name]>> },
): Promise<{ stop(): Promise<void> } | null> {
  if (start === null) return null;
  if (!persistent) return (running[name] = await start(null));
  const kept = await keepAlive<NonNullable<ServersNow[Name]>>({
    name: NAMES[name],
    start,
    log,
    onRestart: async (server) => {
      running[name] = server;
      await onRestart?.({ ...running });
    },
    onGiveUp: (error) => onGiveUp?.(error),
  });
  running[name] = kept.current();
  return kept;
}

async function startTemporal(
  shared: Shared,
  { temporal, ports, persistent }: OwnServersOptions,
): Promise<Start<TemporalServer>> {
  if (temporal === null) return null;
  const executable = await locateTool(TEMPORAL_CLI, shared);
  return async (before) => {
    const again = before === null ? USUAL_TEMPORAL[ports] : { ports: portsOf(before) };
    const server = await startTemporalServer({ ...shared, ...temporal, ...again, executable, ui: persistent });
    return await atSamePlace(server, before?.address, server.address);
  };
}

function startPostgres(shared: Shared, { postgres, ports }: OwnServersOptions): Start<PostgresServer> {
  if (!postgres) return null;
  return async (before) => {
    const again = before === null ? USUAL_POSTGRES[ports] : { port: Number(new URL(before.url).port) };
    const server = await startPostgresServer({ ...shared, ...again });
    return await atSamePlace(server, before?.url, server.url);
  };
}

function portsOf({ address, uiUrl }: TemporalServer) {
  return { frontend: portOf(`http://${address}`), ui: uiUrl === null ? 0 : portOf(uiUrl) };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** Whoever uses it knows only the old address. */
async function atSamePlace<Server extends { stop(): Promise<void> }>(
  server: Server,
  before: string | undefined,
  now: string,
): Promise<Server> {
  if (before === undefined || before === now) return server;
  await server.stop();
  throw new Error('another process has taken its port');
}
