/**
 * What a test of the client works with: a database of its own, a real worker that can be stopped, and clients as several
 * processes would have them. Tests of different files share the Temporal server and are told apart by their tenant.
 */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Registrable } from '../../activities/registry.ts';
import { connect, type ConnectChoices, type ConnectOptions, type Fermata } from '../../client/index.ts';
import { createWorker } from '../../workers/worker.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

export interface ClientBench {
  readonly database: TestDatabase;
  readonly tenant: string;
  readonly fermata: Fermata;
  /** A further client, as another process would have it. It is closed with the bench. */
  connect(options?: ConnectChoices): Promise<Fermata>;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  readonly commands?: readonly Registrable[];
  /** Default: one is started. */
  readonly worker?: boolean;
  /** Of the worker. */
  readonly values?: ConnectOptions['values'];
}

export async function startClientBench({
  commands = [],
  worker = true,
  values,
}: BenchOptions = {}): Promise<ClientBench> {
  const database = await createTestDatabase();
  const tenant = uniqueName('t');
  const where: ConnectOptions = {
    temporal: { address: temporalAddress(), namespace: temporalNamespace() },
    databaseUrl: database.url,
    tenant,
    taskQueue: tenant,
    env: {},
  };
  const clients: Fermata[] = [];
  const connectOne = async (options: ConnectChoices = {}): Promise<Fermata> => {
    const fermata = await connect({ ...where, ...options });
    clients.push(fermata);
    return fermata;
  };
  let running: { stop(): Promise<void> } | null = null;
  const startWorker = async (): Promise<void> => {
    const one = await createWorker({
      ...where,
      commands,
      sweepEveryMs: 100,
      ...(values === undefined ? {} : { values }),
    });
    const end = one.run();
    running = { stop: () => (one.shutdown(), end) };
  };
  const stopWorker = async (): Promise<void> => {
    await running?.stop();
    running = null;
  };
  if (worker) await startWorker();
  return {
    database,
    tenant,
    fermata: await connectOne(),
    connect: connectOne,
    startWorker,
    stopWorker,
    async stop() {
      await stopWorker();
      await Promise.all(clients.map((fermata) => fermata.close()));
      await database.drop();
    },
  };
}
