/**
 * Brings up what a project needs to run, with no set-up by hand: Temporal and PostgreSQL, found running or started.
 *
 * 1. What runs already is used and left running; only what we started is stopped.
 * 2. Persistent servers belong to one process per project; another that asks gets the same servers.
 * 3. When one server cannot be had, the other is stopped again before the error leaves.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import { openTemporal } from './connect-temporal.ts';
import type { Environment } from './environment.ts';
import { findPostgresDatabase } from './find-postgres-database.ts';
import { findTemporal, temporalNamespace } from './find-temporal.ts';
import type { Log } from './log.ts';
import { type OwnServers, type ServersNow, startOwnServers } from './own-servers.ts';
import { identify } from './process-identity.ts';
import { projectFolder, temporaryFolder } from './project-folder.ts';
import { registerSearchAttributes } from './register-search-attributes.ts';
import { claimServers, publishServers, releaseServers, type ServersRecord } from './servers-record.ts';
import { userForPostgres } from './system-user.ts';

/** `auto`: use what the environment names or what runs, else start one. `own`: always start one. */
export type ServerChoice = 'auto' | 'own';

export interface StartServersOptions {
  /** Folder whose `.fermata/` holds the state of persistent servers. */
  readonly projectDir: string;
  readonly env: Environment;
  /** Takes the lines that say what is going on. */
  readonly log: Log;
  /** Default `auto`. */
  readonly temporal?: ServerChoice;
  /** Default `auto`. */
  readonly postgres?: ServerChoice;
  /** True: state survives a restart and the Web UI is served. False: all of it is thrown away. */
  readonly persistent: boolean;
  /** Whether to prefer 7233, 8233 and 54329 where they are free. Default: `usual` for persistent servers. */
  readonly ports?: 'usual' | 'free';
  /** A persistent server that kept ending is not started again. */
  readonly onGiveUp?: (error: FermataError) => void;
}

export interface Servers {
  readonly temporal: TemporalEndpoint;
  readonly postgres: PostgresEndpoint;
  /** Stops what we started. Idempotent. */
  stop(): Promise<void>;
}

export interface TemporalEndpoint {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string | null;
  /** Whether this call started it. */
  readonly started: boolean;
}

export interface PostgresEndpoint {
  readonly url: string;
  readonly started: boolean;
}

/**
 * @throws FermataError `temporal.unavailable`, `store.unavailable`: a server that the environment names does not answer;
 * `server.unavailable`: none could be started; `temporal.rejected`: search attributes may not be registered
 */
export async function startServers(options: StartServersOptions): Promise<Servers> {
  const { env, log } = options;
  const temporal = options.temporal === 'own' ? null : await useTemporal(options);
  const url = options.postgres === 'own' ? null : await findPostgresDatabase({ env, log });
  const postgres = url === null ? null : { url, started: false };
  if (temporal !== null && postgres !== null) return { temporal, postgres, stop: async () => {} };

  const user = await userForPostgres();
  const found = { temporal, postgres };
  if (!options.persistent) return merge(found, await startMissing(options, found, temporaryFolder(user)));
  const folder = projectFolder(options.projectDir, user);
  const others = await claimServers(folder);
  return others === null ? startAndPublish(options, found, folder) : share(options, found, others);
}

/** What was found running; null for what is missing. */
interface Found {
  readonly temporal: TemporalEndpoint | null;
  readonly postgres: PostgresEndpoint | null;
}

async function useTemporal({ env, log }: StartServersOptions): Promise<TemporalEndpoint | null> {
  const found = await findTemporal({ env, log });
  if (found === null) return null;
  const connection = await openTemporal(found.connectionOptions);
  try {
    const added = await registerSearchAttributes(connection, found.namespace);
    if (added.length > 0) log(`Registered the search attributes ${added.join(', ')}`);
  } finally {
    await connection.close();
  }
  return { address: found.address, namespace: found.namespace, uiUrl: found.uiUrl, started: false };
}

function startMissing(options: StartServersOptions, found: Found, folder: string): Promise<OwnServers> {
  const { env, log, persistent, ports = persistent ? 'usual' : 'free', onGiveUp } = options;
  const temporal = found.temporal === null ? { namespace: temporalNamespace(env) } : null;
  const wanted = { temporal, postgres: found.postgres === null };
  return startOwnServers({
    folder,
    persistent,
    ports,
    env,
    log,
    ...wanted,
    ...(onGiveUp === undefined ? {} : { onGiveUp }),
    ...(persistent ? { onRestart: async (now) => publishServers(folder, await recorded(now)) } : {}),
  });
}

async function startAndPublish(options: StartServersOptions, found: Found, folder: string): Promise<Servers> {
  try {
    const own = await startMissing(options, found, folder);
    await publishServers(folder, await recorded(own));
    const stop = () => own.stop().finally(() => releaseServers(folder));
    return merge(found, { ...own, stop });
  } catch (error) {
    releaseServers(folder);
    throw error;
  }
}

async function recorded({ temporal, postgres }: ServersNow): Promise<Pick<ServersRecord, 'temporal' | 'postgres'>> {
  return {
    temporal: temporal && { ...endpointOf(temporal), process: await identify(temporal.pid) },
    postgres: postgres && { url: postgres.url, process: await identify(postgres.pid) },
  };
}

function merge(found: Found, own: OwnServers): Servers {
  const temporal = found.temporal ?? (own.temporal && { ...endpointOf(own.temporal), started: true });
  const postgres = found.postgres ?? (own.postgres && { url: own.postgres.url, started: true });
  if (temporal === null || postgres === null)
    throw new FermataError('internal.error', 'A server is missing after start.');
  return { temporal, postgres, stop: own.stop };
}

/** The servers of another process of this project, where they are what we lack. */
function share(options: StartServersOptions, found: Found, others: ServersRecord): Servers {
  const temporal = found.temporal ?? (others.temporal && { ...endpointOf(others.temporal), started: false });
  const postgres = found.postgres ?? (others.postgres && { url: others.postgres.url, started: false });
  const { pid } = others.owner;
  if (temporal === null || postgres === null) {
    const missing = temporal === null ? 'Temporal server' : 'PostgreSQL';
    const message = `Process ${pid} runs this project with a ${missing} from its environment, which this process does not know. Give both the same TEMPORAL_ADDRESS and DATABASE_URL, or end process ${pid}.`;
    throw new FermataError('server.unavailable', message, { pid });
  }
  options.log(`Using the servers of process ${pid}, which runs this project; they stop with it.`);
  return { temporal, postgres, stop: async () => {} };
}

function endpointOf({ address, namespace, uiUrl }: Omit<TemporalEndpoint, 'started'>) {
  return { address, namespace, uiUrl };
}
