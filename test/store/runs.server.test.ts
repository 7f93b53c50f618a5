import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type RunFilter, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { batch, newRun, startFacts, T0 } from './builders.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore({ databaseUrl: database.url, max: 20 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

async function everyPage(tenant: Store, filter: RunFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['runs']['list']>> = await tenant.runs.list({
      ...filter,
      ...(cursor === null ? {} : { cursor }),
    });
    ids.push(...page.items.map((run) => run.runId));
    cursor = page.cursor;
  } while (cursor !== null);
  return ids;
}

describe('register', () => {
  it('gives a run id once, of fifty callers at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.runs.register(newRun('order/7', { input: { caller: index } }))),
    );
    expect(answers.filter(({ status }) => status === 'begin')).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.run.input))).size).toBe(1);
  });

  it('can be taken back while the run has not begun, and not after', async () => {
    await store.runs.register(newRun('order/8'));
    await store.runs.unregister('order/8');
    await expect(store.runs.get('order/8')).rejects.toMatchObject({ code: 'run.not_found' });
    await store.runs.register(newRun('order/9'));
    await store.records.write([
      batch('order/9', [{ kind: 'state', state: 'running', at: T0 }], { start: startFacts() }),
    ]);
    await store.runs.unregister('order/9');
    expect(await store.runs.get('order/9')).toMatchObject({ state: 'running' });
  });
});

describe('document', () => {
  it('of a run that has not begun is pending', async () => {
    await store.runs.register(newRun('order/pending'));
    expect(await store.runs.document('order/pending')).toMatchObject({
      state: 'pending',
      trace: [],
      completedAt: null,
    });
  });

  it('of a run that nobody knows is null', async () => {
    expect(await store.runs.document('nobody')).toBeNull();
  });

  it('shows the variables that were told last', async () => {
    const told = (vars: { [name: string]: number }) => batch('order/vars', [], { start: startFacts(), vars });
    await store.records.write([told({ a: 1 })]);
    await store.records.write([told({ a: 2, b: 3 })]);
    expect((await store.runs.document('order/vars'))?.vars).toEqual({ a: 2, b: 3 });
  });
});

describe('list', () => {
  it('gives every run once over all pages, newest first, while others are added', async () => {
    const tenant = store.forTenant('pages');
    const ids = Array.from({ length: 25 }, (_, index) => `run-${String(index).padStart(2, '0')}`);
    await tenant.events.accept({
      event: { id: 'e', type: 't', source: 's', time: '2027-01-01T00:00:00Z', data: null },
      starts: ids.map((runId) => ({ ...newRun(runId, { definitionId: runId }), version: 1 })),
    });
    const first = await tenant.runs.list({ limit: 10 });
    await tenant.runs.register(newRun('added-meanwhile'));
    const rest = await everyPage(tenant, { limit: 10, cursor: first.cursor ?? '' });
    const listed = [...first.items.map((run) => run.runId), ...rest];
    expect(listed).toHaveLength(25);
    expect(listed.sort()).toEqual(ids);
  });

  it('finds by definition, state, event and entity, and only in its tenant', async () => {
    const tenant = store.forTenant('filters');
    await tenant.runs.register(newRun('a', { definitionId: 'd1', entity: { type: 'lead', id: 'L-1' } }));
    await tenant.runs.register(
      newRun('b', { definitionId: 'd2', entity: { type: 'lead', id: 'L-2' }, eventId: 'e-1' }),
    );
    await tenant.records.write([
      batch('a', [{ kind: 'state', state: 'paused', at: T0 }], { tenant: 'filters', start: startFacts() }),
    ]);
    const ids = async (filter: RunFilter) => (await tenant.runs.list(filter)).items.map((run) => run.runId);
    expect(await ids({ definitionId: 'd1' })).toEqual(['a']);
    expect(await ids({ state: 'paused' })).toEqual(['a']);
    expect(await ids({ state: 'pending' })).toEqual(['b']);
    expect(await ids({ eventId: 'e-1' })).toEqual(['b']);
    expect(await ids({ entity: { type: 'lead', id: 'L-2' } })).toEqual(['b']);
    expect((await ids({ entity: { type: 'lead' } })).sort()).toEqual(['a', 'b']);
    expect((await store.forTenant('nobody').runs.list()).items).toEqual([]);
  });

  it('refuses a cursor that no list gave', async () => {
    await expect(store.runs.list({ cursor: 'bm9uc2Vuc2U' })).rejects.toMatchObject({ code: 'usage.invalid' });
  });
});
