/**
 * The servers, worker and definitions of `fermata dev`, started in order and stopped in reverse.
 *
 * Invariants:
 * 1. Whatever was started is stopped again, also when a later step fails.
 * 2. What ran before is used and left running.
 * 3. A server of ours that ends by itself is started again; one that keeps ending ends everything, with the reason.
 */
import { connect, type ConnectOptions, type Fermata } from '../../client/index.ts';
import type { FermataError } from '../../definitions/index.ts';
import {
  createWorker,
  quietRuntime,
  type Servers,
  startServers,
  type StoryLine,
  type WorkerOptions,
} from '../../workers/index.ts';
import { loadCommands } from '../input/load-commands.ts';
import type { Io } from '../io.ts';
import { printNotes } from '../output/print.ts';
import { storyText } from '../output/story-text.ts';
import { hearStrayErrors } from './hear-stray-errors.ts';
import { publishFiles, watchCommands, watchDefinitions } from './dev-definitions.ts';
import { Started } from './started.ts';

export interface DevOptions {
  readonly io: Io;
  readonly files: { readonly commands: readonly string[]; readonly definitions: readonly string[] };
  readonly taskQueue: string | undefined;
  readonly tenant: string | undefined;
  /** Says nothing of what runs do. */
  readonly quiet: boolean;
  /** Takes lines of progress, and later what becomes of the servers. */
  readonly log: (line: string) => void;
}

/** What `fermata dev --json` prints. */
export interface DevDocument {
  readonly temporal: { readonly address: string; readonly namespace: string; readonly webUi: string | null };
  /** Without its password where the server is not ours. */
  readonly database: { readonly url: string };
  readonly worker: { readonly taskQueue: string; readonly commands: readonly string[] };
  readonly definitions: readonly { readonly id: string; readonly version: number; readonly created: boolean }[];
}

export interface Dev {
  readonly document: DevDocument;
  /** Whether the Temporal server was found running, unasked, and is none of this project: perhaps another's. */
  readonly shared: boolean;
  /** Goes on until the signal, then stops everything. @throws what made the worker fail */
  untilEnd(signal: AbortSignal): Promise<void>;
}

/**
 * @throws FermataError `temporal.unavailable`, `store.unavailable`, `server.unavailable`, `handler.invalid`,
 * `definition.invalid` and what else starting these can throw
 */
export async function startDev(options: DevOptions): Promise<Dev> {
  const { io, files, log } = options;
  const started = new Started();
  const hearNoMore = hearStrayErrors(io);
  started.add(() => hearNoMore());
  try {
    const lost = new AbortController();
    const onGiveUp = (error: FermataError): void => lost.abort(error);
    const servers = await startServers({ projectDir: io.cwd, env: io.env, log, persistent: true, onGiveUp });
    started.add(() => servers.stop());
    const shared = isShared(io, servers);
    const connection = connectionTo(servers, options);
    showServers(io, servers);
    const commands = await loadCommands(io, files.commands);
    log('Preparing the database');
    const fermata = await connect({ ...connection, migrate: true });
    started.add(() => fermata.close());
    log('Starting the worker');
    quietRuntime({ runs: false });
    const onStory = (line: StoryLine): void => {
      if (!options.quiet) printNotes(io, (paint) => storyText(paint, line));
    };
    const worker = await createWorker({ ...connection, commands, onStory });
    const running = worker.run();
    // Its failure is heard where it is awaited, which may be later.
    running.catch(() => {});
    started.add(() => {
      worker.shutdown();
      return running;
    });
    const published = await publishFiles(io, fermata, files.definitions);
    for (const watcher of [watchDefinitions(io, fermata, files.definitions), watchCommands(io, files.commands)]) {
      started.add(() => watcher.close());
    }
    const document = documentOf({ servers, fermata, commands, published });
    return { document, shared, untilEnd: (signal) => goOn(io, signal, { running, started, lost: lost.signal }) };
  } catch (error) {
    await started.stop();
    throw error;
  }
}

function connectionTo({ temporal, postgres }: Servers, { io, taskQueue, tenant }: DevOptions): ConnectOptions {
  return {
    env: io.env,
    temporal: { address: temporal.address, namespace: temporal.namespace },
    databaseUrl: postgres.url,
    ...(taskQueue === undefined ? {} : { taskQueue }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

/** To be asked before the environment is told. With servers of this project found, its database was there too. */
function isShared({ env }: Io, { temporal, postgres }: Servers): boolean {
  return !temporal.started && postgres.started && env['TEMPORAL_ADDRESS'] === undefined;
}

/** Handlers of this process find the servers where those of a deployed worker do. */
function showServers({ env }: Io, { temporal, postgres }: Servers): void {
  env['TEMPORAL_ADDRESS'] ??= temporal.address;
  env['TEMPORAL_NAMESPACE'] ??= temporal.namespace;
  env['DATABASE_URL'] ??= postgres.url;
}

async function goOn(
  io: Io,
  signal: AbortSignal,
  {
    running,
    started,
    lost,
  }: { readonly running: Promise<void>; readonly started: Started; readonly lost: AbortSignal },
): Promise<void> {
  try {
    await Promise.race([aborted(signal), aborted(lost), running]);
    printNotes(io, (paint) => paint.dim('Stopping …'));
  } finally {
    await started.stop();
  }
  lost.throwIfAborted();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function documentOf(parts: {
  readonly servers: Servers;
  readonly fermata: Fermata;
  readonly commands: WorkerOptions['commands'];
  readonly published: DevDocument['definitions'];
}): DevDocument {
  const { temporal, postgres } = parts.servers;
  return {
    temporal: { address: temporal.address, namespace: temporal.namespace, webUi: temporal.uiUrl },
    database: { url: postgres.started ? postgres.url : withoutPassword(postgres.url) },
    worker: { taskQueue: parts.fermata.settings.taskQueue, commands: parts.commands.flatMap(typesOf).sort() },
    definitions: parts.published.map(({ id, version, created }) => ({ id, version, created })),
  };
}

function typesOf(command: WorkerOptions['commands'][number]): readonly string[] {
  return 'types' in command ? command.types : [command.type];
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}
