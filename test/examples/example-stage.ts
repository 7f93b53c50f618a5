/** What the handlers of examples run on: a database of their own, named by the environment, and a worker with them. */
import { connect, type Fermata } from 'fermata';
import { createWorker, type WorkerOptions } from 'fermata/workers';
import pg from 'pg';
import { createTestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';

export interface ExampleStage {
  readonly fermata: Fermata;
  /** Looks at the rows that handlers left. */
  readonly rows: pg.Client;
  close(): Promise<void>;
}

export interface ExampleStageOptions extends Pick<WorkerOptions, 'commands' | 'notify'> {
  /** Begins the name of the task queue. */
  readonly name: string;
  /** Of the services behind the handlers. */
  readonly closeServices: readonly (() => Promise<void>)[];
}

export async function openExampleStage({ name, closeServices, ...work }: ExampleStageOptions): Promise<ExampleStage> {
  const before = process.env['DATABASE_URL'];
  const database = await createTestDatabase();
  process.env['DATABASE_URL'] = database.url;
  const rows = new pg.Client({ connectionString: database.url });
  await rows.connect();
  const temporal = { address: temporalAddress(), namespace: temporalNamespace() };
  const options = { temporal, databaseUrl: database.url, taskQueue: uniqueName(name) };
  const fermata = await connect(options);
  const worker = await createWorker({ ...options, ...work });
  const working = worker.run();
  return {
    fermata,
    rows,
    async close() {
      worker.shutdown();
      await working;
      await fermata.close();
      for (const close of closeServices) await close();
      await rows.end();
      await database.drop();
      if (before === undefined) delete process.env['DATABASE_URL'];
      else process.env['DATABASE_URL'] = before;
    },
  };
}
