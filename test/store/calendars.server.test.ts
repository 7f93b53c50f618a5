import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { OFFICE } from '../time/calendars.ts';

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

const later = { ...OFFICE, holidays: ['12-25', '01-01'] };

test('other content is the next version, the same content is none, and old versions stay as they are', async () => {
  expect(await store.calendars.put(OFFICE)).toEqual({ name: 'office', version: 1, created: true });
  expect(await store.calendars.put(OFFICE)).toEqual({ name: 'office', version: 1, created: false });
  expect(await store.calendars.put(later)).toEqual({ name: 'office', version: 2, created: true });
  expect(await store.calendars.put(OFFICE)).toEqual({ name: 'office', version: 3, created: true });
  expect((await store.calendars.get('office', 2)).document).toEqual(later);
  expect((await store.calendars.get('office', 1)).document).toEqual(OFFICE);
  expect(await store.calendars.get('office')).toMatchObject({ version: 3, document: OFFICE });
});

test('what can be no name is found nowhere, and asking for it is no fault of the database', async () => {
  expect(await store.calendars.find('off\u0000ice')).toBeNull();
  await expect(store.calendars.get('off\u0000ice')).rejects.toMatchObject({ code: 'calendar.not_found' });
});

test('of twenty that put one content at once, one creates', async () => {
  const calendar = { ...OFFICE, name: 'at-once' };
  const put = await Promise.all(Array.from({ length: 20 }, () => store.calendars.put(calendar)));
  expect(put.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(put.map(({ version }) => version))).toEqual(new Set([1]));
});

test('calendars are listed by name with their newest version, and no other tenant sees them', async () => {
  expect((await store.calendars.list()).map(({ name, version }) => [name, version])).toEqual([
    ['at-once', 1],
    ['office', 3],
  ]);
  expect(await store.calendars.list({ after: 'at-once', limit: 1 })).toMatchObject([{ name: 'office' }]);
  expect(await store.forTenant('other').calendars.list()).toEqual([]);
});

test('a calendar that is not there is named', async () => {
  expect(await store.calendars.find('none')).toBeNull();
  await expect(store.calendars.get('none')).rejects.toMatchObject({ code: 'calendar.not_found' });
  await expect(store.calendars.get('office', 9)).rejects.toThrow('version 9 of calendar "office"');
});
