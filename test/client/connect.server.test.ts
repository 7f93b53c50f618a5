import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../client/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';

let database: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  empty = await createTestDatabase({ migrated: false });
});
afterAll(async () => {
  await database.drop();
  await empty.drop();
});

const temporal = () => ({ address: temporalAddress(), namespace: temporalNamespace() });

describe('connect', () => {
  it('says within seconds that Temporal is not there, with its address and the remedy', async () => {
    const started = performance.now();
    await expect(
      connect({ temporal: { address: '127.0.0.1:1' }, databaseUrl: database.url, env: {} }),
    ).rejects.toMatchObject({
      code: 'temporal.unavailable',
      message: expect.stringMatching(/127\.0\.0\.1:1 .*TEMPORAL_ADDRESS.*fermata dev/s),
    });
    expect(performance.now() - started).toBeLessThan(12_000);
  });

  it('says so too where something answers that is no Temporal', async () => {
    const silent = await listenSilently();
    const started = performance.now();
    await expect(
      connect({ temporal: { address: `127.0.0.1:${silent.port}` }, databaseUrl: database.url, env: {} }),
    ).rejects.toMatchObject({ code: 'temporal.unavailable' });
    expect(performance.now() - started).toBeLessThan(12_000);
    silent.close();
  });

  it('says for how long it tried, which is an option', async () => {
    const silent = await listenSilently();
    const address = `127.0.0.1:${silent.port}`;
    const given = { env: {}, connectTimeoutMs: 300 };
    await expect(connect({ ...given, temporal: { address }, databaseUrl: database.url })).rejects.toMatchObject({
      code: 'temporal.unavailable',
      message: expect.stringContaining('within 0.3 s'),
    });
    await expect(
      connect({ ...given, temporal: temporal(), databaseUrl: `postgres://u:hush@${address}/app` }),
    ).rejects.toMatchObject({
      code: 'store.unavailable',
      message: expect.stringMatching(/no connection within 0\.3 s .*FERMATA_CONNECT_TIMEOUT/),
    });
    silent.close();
  });

  it('works without Temporal where that is asked for, but never with a namespace that is not there', async () => {
    const options = { databaseUrl: database.url, env: {}, requireTemporal: false };
    const fermata = await connect({ ...options, temporal: { address: '127.0.0.1:1' } });
    expect(await fermata.definitions.list()).toEqual([]);
    await fermata.close();
    await expect(connect({ ...options, temporal: { ...temporal(), namespace: 'nowhere' } })).rejects.toMatchObject({
      code: 'temporal.rejected',
    });
  });

  it('says that PostgreSQL is not there, without the password', async () => {
    const error = await connect({
      temporal: temporal(),
      databaseUrl: 'postgres://u:hush@127.0.0.1:1/app',
      env: {},
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store.unavailable', message: expect.stringContaining('127.0.0.1:1') });
    expect(String(error)).not.toContain('hush');
  });

  it('names a namespace that Temporal does not have', async () => {
    await expect(
      connect({ temporal: { ...temporal(), namespace: 'nowhere' }, databaseUrl: database.url, env: {} }),
    ).rejects.toMatchObject({ code: 'temporal.rejected', message: expect.stringContaining('TEMPORAL_NAMESPACE') });
  });

  it('refuses a database without tables, and makes them where it is asked to', async () => {
    await expect(connect({ temporal: temporal(), databaseUrl: empty.url, env: {} })).rejects.toMatchObject({
      code: 'store.invalid',
    });
    const fermata = await connect({ temporal: temporal(), databaseUrl: empty.url, env: {}, migrate: true });
    expect(await fermata.definitions.list()).toEqual([]);
    await fermata.close();
  });

  it('uses a client that is handed in, and leaves it open', async () => {
    const connection = await Connection.connect({ address: temporalAddress() });
    const client = new Client({ connection, namespace: temporalNamespace() });
    const fermata = await connect({ temporal: { client }, databaseUrl: database.url, env: {} });
    expect(fermata.temporal).toBe(client);
    expect(fermata.settings.temporal.namespace).toBe(temporalNamespace());
    await fermata.close();
    await expect(connection.workflowService.getSystemInfo({})).resolves.toBeDefined();
    await connection.close();
  });
});

/** Takes connections and never says a word. */
function listenSilently(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
}
