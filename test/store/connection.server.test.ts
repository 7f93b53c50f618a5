import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFermataError } from '../../definitions/fermata-error.ts';
import { openStore } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

/** Everything that a log could show of an error, its causes and hidden fields too. */
function shown(error: unknown): string {
  return inspect(error, { depth: null, showHidden: true });
}

async function failureOf(databaseUrl: string): Promise<unknown> {
  const store = openStore({ databaseUrl });
  try {
    return await store.definitions.list().then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    await store.close();
  }
}

describe('a store that cannot be used', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('says where it looked and what to do when nothing listens there, never the password', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(`postgres://bob:pa55word@127.0.0.1:${port}/shop`);
    expect(error).toMatchObject({
      code: 'store.unavailable',
      retryable: true,
      details: { host: '127.0.0.1', port, database: 'shop' },
    });
    expect(isFermataError(error) && error.message).toMatch(/DATABASE_URL.*fermata dev/);
    expect(shown(error)).not.toContain('pa55word');
  });

  it('says so for a host that does not exist and for a database that does not', async () => {
    expect(await failureOf('postgres://bob:pa55word@no-such-host.invalid:5432/shop')).toMatchObject({
      code: 'store.unavailable',
    });
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    const error = await failureOf(url.href);
    expect(error).toMatchObject({ code: 'store.unavailable', details: { database: 'no_such_database' } });
    if (url.password !== '') expect(shown(error)).not.toContain(url.password);
  });

  it.each(['not a url with pa55word', 'mysql://bob:pa55word@h/db', ''])(
    'refuses the address %j at once without repeating it',
    (databaseUrl) => {
      let error: unknown;
      try {
        openStore({ databaseUrl });
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({ code: 'config.invalid' });
      expect(shown(error)).not.toContain('pa55word');
    },
  );

  it('recovers by itself when its connections are cut, idle ones and one under way', async () => {
    const store = openStore({ databaseUrl: database.url, max: 3 });
    await Promise.all([store.definitions.list(), store.definitions.list()]);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('begin; lock table fermata.definitions');
    const waiting = store.definitions.list().catch((error: unknown) => error);
    const cut =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fermata' and datname = current_database()";
    await expect
      .poll(async () => {
        const { rows } = await client.query<{ waits: boolean }>(
          "select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as waits",
        );
        return rows[0]?.waits;
      })
      .toBe(true);
    await client.query(cut);
    expect(await waiting).toMatchObject({ code: 'store.unavailable' });
    await client.query('rollback');
    await client.end();
    await expect.poll(() => store.definitions.list().catch(() => null)).toEqual([]);
    await store.close();
  });
});
