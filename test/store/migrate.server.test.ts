import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../store/index.ts';
import { MIGRATIONS } from '../../store/migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

describe('migrate', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ migrated: false });
  });
  afterAll(() => database.drop());

  it('says that the tables are missing, and how they come, before it was called', async () => {
    const store = openStore({ databaseUrl: database.url });
    await expect(store.definitions.list()).rejects.toMatchObject({
      code: 'store.invalid',
      message: expect.stringContaining('run the migrations') as string,
    });
    await expect(store.check()).rejects.toMatchObject({ code: 'store.invalid' });
    await store.close();
  });

  it('is done once when eight processes do it at the same time', async () => {
    const stores = Array.from({ length: 8 }, () => openStore({ databaseUrl: database.url, max: 2 }));
    const applied = await Promise.all(stores.map((store) => store.migrate()));
    expect(applied.flat()).toEqual(Object.keys(MIGRATIONS));
    await Promise.all(stores.map((store) => store.close()));
  });

  it('leaves the database of a newer release alone', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("insert into fermata.migrations (name, timestamp) values ('9999-future', now()::text)");
    await client.end();
    const store = openStore({ databaseUrl: database.url });
    expect(await store.migrate()).toEqual([]);
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
  });

  it('gives every table a tenant, first in its primary key', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ table: string; first: string }>(`
      select t.relname as table, a.attname as first
      from pg_class t join pg_namespace n on n.oid = t.relnamespace
      join pg_index i on i.indrelid = t.oid and i.indisprimary
      join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
      where n.nspname = 'fermata' and t.relkind = 'r' and t.relname not like 'migrations%'`);
    await client.end();
    expect(rows.length).toBeGreaterThan(12);
    expect(rows.filter((row) => row.first !== 'tenant')).toEqual([]);
  });
});
