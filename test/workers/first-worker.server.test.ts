/** The first worker of an installation: nothing is prepared but the two servers. */
import { defineCommand } from 'fermata/activities';
import { connect } from 'fermata';
import { createWorker } from 'fermata/workers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

it('a worker makes the tables of an empty database, and then runs what is published', async () => {
  const temporal = { address: temporalAddress(), namespace: temporalNamespace() };
  const options = { temporal, databaseUrl: database.url, taskQueue: uniqueName('first') };
  await expect(connect(options)).rejects.toMatchObject({ code: 'store.invalid' });

  const ping = defineCommand({ type: 'ping', input: z.object({}), output: z.string(), execute: () => 'pong' });
  const workers = await Promise.all([1, 2].map(() => createWorker({ ...options, commands: [ping] })));
  const working = workers.map((worker) => worker.run());
  const fermata = await connect(options);
  const id = uniqueName('first');
  await fermata.definitions.publish({ id, nodes: [{ id: 'ping', type: 'action', config: { command: 'ping' } }] });
  const run = await fermata.runs.start(id);
  expect(await run.result()).toBe('pong');

  await fermata.close();
  for (const worker of workers) worker.shutdown();
  await Promise.all(working);
});
