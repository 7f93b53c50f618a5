/**
 * Starts a PostgreSQL server of our own on a private cluster.
 *
 * 1. It listens on the loopback interface only, has no socket file, and asks for the cluster's password.
 * 2. A server left over on the same cluster (its owner was killed) is stopped first; PostgreSQL itself sees to it that
 *    two never share one.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../definitions/reason-of.ts';
import { executableName } from './cache-folder.ts';
import type { ChildGuard } from './child-guard.ts';
import type { Environment } from './environment.ts';
import { freePort, LOOPBACK } from './free-port.ts';
import type { Log } from './log.ts';
import { findPostgres } from './postgres-binaries.ts';
import {
  type ClusterOptions,
  openCluster,
  POSTGRES_DATABASE,
  POSTGRES_ROLE,
  type PostgresCluster,
} from './postgres-cluster.ts';
import { lifeOf, type ServerProcess, serverEnvironment, startServerProcess } from './server-process.ts';
import { type SystemUser, userForPostgres } from './system-user.ts';
import { waitUntil } from './wait-until.ts';

export interface PostgresServer {
  /** `postgresql://…`, with the password. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when its process has ended. */
  readonly exit: Promise<void>;
  /** The last lines of its log. */
  logTail(): string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Folder of the log and of the cluster. */
  readonly folder: string;
  /** False: speed over safety, for data that are thrown away. */
  readonly persistent: boolean;
  /** Port that is taken if it is free. */
  readonly port?: number;
  /** Default: {@link findPostgres}. */
  readonly find?: ClusterOptions['find'];
  readonly env: Environment;
  readonly log: Log;
  readonly guard: ChildGuard;
}

/** Recovery after a crash reads the whole write-ahead log since the last checkpoint. */
const START_TIMEOUT_MS = 60_000;

/** @throws FermataError `server.unavailable` */
export async function startPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const { folder, persistent, env, log } = options;
  const user = await userForPostgres();
  const find = options.find ?? ((major: number | null) => findPostgres({ env, user, major }));
  const cluster = await openCluster({ stateFolder: folder, persistent, find, user, env, log });
  const port = await freePort(options.port);
  const server = await spawnPostgres(options, { cluster, user, port });
  try {
    await waitForPostgres(server, cluster.dataFolder);
  } catch (error) {
    const tail = server.logTail();
    await server.stop();
    throw new FermataError(
      'server.unavailable',
      `PostgreSQL did not start: ${reasonOf(error)}. End of its log:\n${tail}`,
    );
  }
  log(`PostgreSQL ${cluster.binaries.major} at ${LOOPBACK}:${port}`);
  const url = `postgresql://${POSTGRES_ROLE}:${cluster.password}@${LOOPBACK}:${port}/${POSTGRES_DATABASE}`;
  return { url, ...lifeOf(server) };
}

function spawnPostgres(
  options: PostgresServerOptions,
  place: { cluster: PostgresCluster; user: SystemUser | null; port: number },
): Promise<ServerProcess> {
  const { cluster, user, port } = place;
  const settings = [
    `listen_addresses=${LOOPBACK}`,
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    ...(options.persistent ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  return startServerProcess({
    file: join(cluster.binaries.folder, executableName('postgres')),
    args: ['-D', cluster.dataFolder, ...settings.flatMap((setting) => ['-c', setting])],
    cwd: cluster.dataFolder,
    env: { ...serverEnvironment(options.env), LC_ALL: 'C' },
    logFile: join(options.folder, 'postgres.log'),
    // Fast shutdown: open transactions are rolled back, clients are sent away.
    stopSignal: 'SIGINT',
    guard: options.guard,
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
}

async function waitForPostgres(server: ServerProcess, dataFolder: string): Promise<void> {
  const outcome = await waitUntil(() => (server.ended() ? 'ended' : isReady(dataFolder, server.pid) ? 'ready' : null), {
    timeoutMs: START_TIMEOUT_MS,
  });
  if (outcome === 'ended') throw new Error('it ended while starting');
  if (outcome === null) throw new Error(`it was not ready within ${START_TIMEOUT_MS / 1000} s`);
}

/** The postmaster writes its status into the eighth line of its pid file, which is what `pg_ctl` waits for too. */
function isReady(dataFolder: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
