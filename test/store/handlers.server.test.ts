import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

describe('handlers', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createTestDatabase();
    store = openStore({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it('that workers report make the catalog, the newest report of a version standing', async () => {
    await store.handlers.report('1@a', [
      { type: 'assign_lead', version: 1, entry: { hasRollback: false, timeout: '10s' } },
      { type: 'assign_lead', version: 2, entry: { hasRollback: true, inputSchema: { type: 'object' } } },
    ]);
    await store.handlers.report('2@b', [{ type: 'assign_lead', version: 1, entry: { hasRollback: true } }]);
    await store.handlers.report('2@b', []);
    expect(await store.handlers.catalog()).toEqual({
      assign_lead: { 1: { hasRollback: true }, 2: { hasRollback: true, inputSchema: { type: 'object' } } },
    });
  });

  it('can be reported by many workers at once', async () => {
    const handlers = Array.from({ length: 30 }, (_, index) => ({
      type: `command_${index}`,
      version: 1,
      entry: { hasRollback: false },
    }));
    await Promise.all(
      Array.from({ length: 10 }, (_, worker) =>
        store.handlers.report(`${worker}@c`, worker % 2 ? handlers : handlers.toReversed()),
      ),
    );
    expect(Object.keys(await store.handlers.catalog())).toHaveLength(31);
  });

  it('of one tenant are unknown to another, and a type may have any name', async () => {
    const other = store.forTenant('other');
    expect(await other.handlers.catalog()).toEqual({});
    await other.handlers.report('1@a', [{ type: '__proto__', version: 1, entry: { hasRollback: false } }]);
    expect(Object.keys(await other.handlers.catalog())).toEqual(['__proto__']);
  });
});
