import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepValue, openStore, readValue, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { newRun } from './builders.ts';

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

const owner = { tenant: 'default', runId: 'order/1' };

test('a value kept by twenty at once is one value, and comes back to the byte', async () => {
  const value = { 名前: ['é', 0.1, null], text: 'x'.repeat(3_000_000) };
  const text = JSON.stringify(value);
  const kept = await Promise.all(Array.from({ length: 20 }, () => keepValue(store.values, owner, text)));
  expect(new Set(kept.map(({ $value }) => $value)).size).toBe(1);
  const [first] = kept as [(typeof kept)[0]];
  expect(first.bytes).toBe(Buffer.byteLength(text));
  expect(await store.values.get({ ...owner, hash: first.$value })).toBe(text);
});

test('a hash reads nothing for another run or another tenant', async () => {
  const kept = await keepValue(store.values, owner, '"mine"');
  for (const other of [
    { ...owner, tenant: 'other' },
    { ...owner, runId: 'order/2' },
  ]) {
    await expect(readValue(store.values, other, kept)).rejects.toMatchObject({ code: 'value.not_found' });
  }
  expect(await readValue(store.values, owner, kept)).toEqual({ value: 'mine', bytes: 6 });
});

test('a sweep takes what is old and has no run, and leaves the rest', async () => {
  const { runId } = newRun('onboarding/kept');
  await store.runs.register(newRun(runId));
  const ofRun = { tenant: store.tenant, runId };
  const kept = await keepValue(store.values, ofRun, '"of a run"');
  const lost = await keepValue(store.values, { ...ofRun, tenant: 'other' }, '"of nobody"');
  expect(await store.sweepValues()).toBe(0);
  expect(await store.sweepValues({ olderThanMs: -1000 })).toBeGreaterThan(0);
  expect(await store.values.get({ ...ofRun, hash: kept.$value })).toBe('"of a run"');
  expect(await store.values.get({ ...ofRun, tenant: 'other', hash: lost.$value })).toBeNull();
  expect(await store.sweepValues({ olderThanMs: -1000 })).toBe(0);
});
