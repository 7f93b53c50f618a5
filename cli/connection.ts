/**
 * The servers of one call: from its options, then the environment, then a `fermata dev` that runs in this project.
 *
 * Invariants:
 * 1. Nothing is started, and no folder is made; only `fermata dev` does that.
 * 2. What a call opens is closed before it ends, whatever happens.
 * 3. What PostgreSQL can answer or keep alone works while Temporal is down.
 */
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { ConnectChoices, ConnectOptions, Fermata } from '../client/index.ts';
import { FermataError } from '../definitions/index.ts';
import type { ServersRecord } from '../workers/servers/index.ts';
import type { Answer } from './answer.ts';
import { readDuration } from './input/read-duration.ts';
import type { Io } from './io.ts';
import { addAction, type Call, type Session } from './verb.ts';

export interface ServerOptions {
  readonly temporal?: string;
  readonly namespace?: string;
  readonly database?: string;
  readonly tenant?: string;
  readonly taskQueue?: string;
  readonly connectTimeout?: number;
}

type ConnectedWork<Options> = (fermata: Fermata, call: Call<Options & ServerOptions>) => Promise<Answer>;

/** {@link addAction} for verbs that need both servers. */
export function addConnectedAction<Options>(command: Command, session: Session, run: ConnectedWork<Options>): void {
  addServerOptions(command);
  addAction<Options & ServerOptions>(command, session, (call) => withFermata(call, (fermata) => run(fermata, call)));
}

/** {@link addAction} for verbs that PostgreSQL can serve while Temporal is down. */
export function addStoreAction<Options>(command: Command, session: Session, run: ConnectedWork<Options>): void {
  addServerOptions(command);
  addAction<Options & ServerOptions>(command, session, (call) =>
    withFermata(call, (fermata) => run(fermata, call), STORE_ONLY),
  );
}

export const STORE_ONLY: ConnectChoices = { requireTemporal: false };

export function addServerOptions(command: Command): void {
  for (const [flags, description] of SERVER_OPTIONS) {
    command.addOption(new Option(flags, description).helpGroup('Servers:'));
  }
  const [flags, description] = CONNECT_TIMEOUT;
  command.addOption(new Option(flags, description).argParser(readDuration).helpGroup('Servers:'));
}

const SERVER_OPTIONS = [
  ['--temporal <host:port>', 'Temporal (default: TEMPORAL_ADDRESS, then the one of `fermata dev`)'],
  ['--namespace <name>', 'namespace in it (default: TEMPORAL_NAMESPACE)'],
  ['--database <url>', 'PostgreSQL (default: DATABASE_URL, then the one of `fermata dev`)'],
  ['--tenant <name>', 'tenant (default: FERMATA_TENANT, then "default")'],
  ['--task-queue <name>', 'task queue of runs that begin (default: FERMATA_TASK_QUEUE, then "fermata")'],
] as const;
const CONNECT_TIMEOUT = [
  '--connect-timeout <duration>',
  'longest to try to reach each of them (default: FERMATA_CONNECT_TIMEOUT, then 8s for Temporal, 30s for PostgreSQL)',
] as const;

/** Connects, works, closes. */
export async function withFermata<T>(
  { io, options }: Call<ServerOptions>,
  work: (fermata: Fermata) => Promise<T>,
  choices: ConnectChoices = {},
): Promise<T> {
  const connectOptions = await resolveServers(io, options);
  const { connect } = await import('../client/index.ts');
  const fermata = await connect({ ...connectOptions, ...choices });
  try {
    return await work(fermata);
  } finally {
    await fermata.close();
  }
}

/** @throws FermataError `config.invalid` when no PostgreSQL is known */
export async function resolveServers(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  options: ServerOptions,
): Promise<ConnectOptions> {
  const dev = await findDevServers(cwd);
  const named = env['TEMPORAL_ADDRESS'] || env['TEMPORAL_PROFILE'] || env['TEMPORAL_CONFIG_FILE'];
  const devTemporal = named ? null : dev?.temporal;
  const address = options.temporal ?? devTemporal?.address;
  const namespace = options.namespace ?? (env['TEMPORAL_NAMESPACE'] || devTemporal?.namespace);
  const databaseUrl = options.database ?? (env['DATABASE_URL'] || dev?.postgres?.url);
  if (databaseUrl === undefined) throw noServers();
  return {
    env,
    databaseUrl,
    temporal: { ...(address === undefined ? {} : { address }), ...(namespace === undefined ? {} : { namespace }) },
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    ...(options.taskQueue === undefined ? {} : { taskQueue: options.taskQueue }),
    ...(options.connectTimeout === undefined ? {} : { connectTimeoutMs: options.connectTimeout }),
  };
}

/** What a `fermata dev` of this folder, or of one above it, has started. */
async function findDevServers(cwd: string): Promise<ServersRecord | null> {
  const { runningServers } = await import('../workers/servers/servers-record.ts');
  for (let folder = cwd; ; folder = dirname(folder)) {
    const record = await runningServers(join(folder, '.fermata'));
    if (record !== null) return record;
    if (folder === dirname(folder)) return null;
  }
}

function noServers(): FermataError {
  const message = 'No servers are known: `fermata dev` does not run in this project, and DATABASE_URL is not set';
  const remedy = 'Start `fermata dev` in another terminal, or set TEMPORAL_ADDRESS and DATABASE_URL.';
  return new FermataError('config.invalid', message, { variable: 'DATABASE_URL', remedy });
}
