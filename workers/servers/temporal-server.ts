/**
 * Starts a Temporal server of our own from the Temporal CLI, tuned (`server-tuning.ts`), with Fermata's search
 * attributes registered.
 *
 * 1. It listens on the loopback interface only.
 * 2. With a state file runs survive a restart; without one they live in memory.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import { join } from 'node:path';
import { reasonOf } from '../../definitions/reason-of.ts';
import { SEARCH_ATTRIBUTES } from '../../definitions/search-attributes.ts';
import type { ChildGuard } from './child-guard.ts';
import { openTemporal, temporalRefusal, waitForNamespace } from './connect-temporal.ts';
import type { Environment } from './environment.ts';
import { freePort, LOOPBACK } from './free-port.ts';
import type { Log } from './log.ts';
import { registerSearchAttributes } from './register-search-attributes.ts';
import { lifeOf, type ServerProcess, serverEnvironment, startServerProcess } from './server-process.ts';
import { tuningArguments } from './server-tuning.ts';
import { waitUntil } from './wait-until.ts';

export interface TemporalServer {
  readonly address: string;
  readonly namespace: string;
  /** Where the Web UI is; null when it was not asked for. */
  readonly uiUrl: string | null;
  readonly pid: number;
  /** Resolves when its process has ended. */
  readonly exit: Promise<void>;
  /** The last lines of its log. */
  logTail(): string;
  stop(): Promise<void>;
}

export interface TemporalServerOptions {
  /** The Temporal CLI, from `locateTool`. */
  readonly executable: string;
  readonly namespace: string;
  /** Folder of the log and, when persistent, of the state. */
  readonly folder: string;
  readonly persistent: boolean;
  readonly ui: boolean;
  /** Ports that are taken if they are free. */
  readonly ports?: { readonly frontend: number; readonly ui: number };
  readonly env: Environment;
  readonly log: Log;
  readonly guard: ChildGuard;
}

/** Longest wait for a server that is starting; one on a big state file replays nothing, so 60 s is ample. */
const START_TIMEOUT_MS = 60_000;

/** @throws FermataError `server.unavailable` with the end of the server's log */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { executable, namespace, folder, env, guard, log } = options;
  const port = await freePort(options.ports?.frontend);
  const uiPort = options.ui ? await freePort(options.ports?.ui) : null;
  const address = `${LOOPBACK}:${port}`;
  const server = await startServerProcess({
    file: executable,
    args: serverArguments(options, { port, uiPort }),
    cwd: folder,
    env: serverEnvironment(env),
    logFile: join(folder, 'temporal.log'),
    stopSignal: 'SIGTERM',
    guard,
  });
  try {
    await prepare(server, address, namespace);
  } catch (error) {
    const tail = server.logTail();
    await server.stop();
    throw error instanceof FermataError ? error : new FermataError('server.unavailable', failure(error, tail));
  }
  const uiUrl = uiPort === null ? null : `http://${LOOPBACK}:${uiPort}`;
  log(`Temporal server at ${address}${uiUrl === null ? '' : `, Web UI at ${uiUrl}`}`);
  return { address, namespace, uiUrl, ...lifeOf(server) };
}

function serverArguments(options: TemporalServerOptions, ports: { port: number; uiPort: number | null }): string[] {
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
  const ui = ports.uiPort === null ? ['--headless'] : [`--ui-port=${ports.uiPort}`, '--ui-disable-news-fetch'];
  return [
    'server',
    'start-dev',
    `--ip=${LOOPBACK}`,
    `--port=${ports.port}`,
    `--namespace=${options.namespace}`,
    '--log-level=error',
    '--disable-config-file',
    '--disable-config-env',
    ...ui,
    ...(options.persistent ? [`--db-filename=${join(options.folder, 'temporal.db')}`] : []),
    ...attributes,
    ...tuningArguments(),
  ];
}

async function prepare(server: ServerProcess, address: string, namespace: string): Promise<void> {
  let refusal: string | null = null;
  const ready = await waitUntil(
    async () => {
      if (server.ended()) return 'ended' as const;
      refusal = await temporalRefusal({ address }, 1000);
      return refusal === null ? ('ready' as const) : null;
    },
    { timeoutMs: START_TIMEOUT_MS },
  );
  if (ready === 'ended') throw new Error('it ended while starting');
  if (ready === null) throw new Error(`it did not answer within ${START_TIMEOUT_MS / 1000} s: ${refusal}`);
  const connection = await openTemporal({ address });
  try {
    if ((await waitForNamespace(connection, namespace, START_TIMEOUT_MS)) === null) {
      throw new Error(`its namespace ${namespace} did not answer`);
    }
    await registerSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}

function failure(error: unknown, tail: string): string {
  return `The Temporal server did not start: ${reasonOf(error)}. End of its log:\n${tail}`;
}
