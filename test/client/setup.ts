/** A client, a walker and a database of one's own, for tests of the client on real servers. */
import { randomUUID } from 'node:crypto';
import type { Registrable } from '../../activities/registry.ts';
import { connect, type ConnectOptions, type Fermata } from '../../client/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { startWalker, type Walker } from '../setup/walker.ts';

export interface ClientBench {
  readonly database: TestDatabase;
  readonly walker: Walker;
  readonly fermata: Fermata;
  /** A further client, as another process would have it. It is closed with the bench. */
  connect(options?: ConnectOptions): Promise<Fermata>;
  stop(): Promise<void>;
}

/** Runs of different test files on the one Temporal server are told apart by their tenant. */
export async function startClientBench(commands: readonly Registrable[]): Promise<ClientBench> {
  const database = await createTestDatabase();
  const walker = await startWalker(commands);
  const tenant = `t${randomUUID().slice(0, 8)}`;
  const open: Fermata[] = [];
  const connectOne = async (options: ConnectOptions = {}): Promise<Fermata> => {
    const fermata = await connect({
      temporal: { address: temporalAddress(), namespace: temporalNamespace() },
      databaseUrl: database.url,
      tenant,
      taskQueue: walker.taskQueue,
      env: {},
      ...options,
    });
    open.push(fermata);
    return fermata;
  };
  return {
    database,
    walker,
    fermata: await connectOne(),
    connect: connectOne,
    async stop() {
      await Promise.all(open.map((fermata) => fermata.close()));
      await walker.stop();
      await database.drop();
    },
  };
}
