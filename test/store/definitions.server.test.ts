import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFINITIONS_CHANNEL, definitionHash, openStore, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { definition } from './builders.ts';

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

describe('publish', () => {
  it('makes version 1 of new content, active and enabled', async () => {
    const document = definition('first');
    expect(await store.definitions.publish({ document })).toEqual({
      id: 'first',
      version: 1,
      hash: definitionHash(document),
      created: true,
      activeVersion: 1,
      enabled: true,
    });
  });

  it('changes nothing when the same content is published again', async () => {
    await store.definitions.publish({ document: definition('same') });
    const before = await store.definitions.summary('same');
    expect(await store.definitions.publish({ document: definition('same') })).toMatchObject({
      version: 1,
      created: false,
    });
    expect(await store.definitions.summary('same')).toEqual(before);
  });

  it('makes the next version of other content, and keeps the active one where told to', async () => {
    await store.definitions.publish({ document: definition('next') });
    const second = await store.definitions.publish({ document: definition('next', { name: 'Two' }), activate: false });
    expect(second).toMatchObject({ version: 2, created: true, activeVersion: 1 });
    expect((await store.definitions.get('next')).version).toBe(1);
    await store.definitions.activate('next', 2);
    expect((await store.definitions.get('next')).document.name).toBe('Two');
    expect(await store.definitions.summary('next')).toMatchObject({ name: 'Two', activeVersion: 2 });
  });

  it('goes back to an older version when its content is published again', async () => {
    await store.definitions.publish({ document: definition('back') });
    await store.definitions.publish({ document: definition('back', { name: 'Two' }) });
    expect(await store.definitions.publish({ document: definition('back') })).toMatchObject({
      version: 1,
      created: false,
      activeVersion: 1,
    });
    expect((await store.definitions.versions('back')).map((version) => version.version)).toEqual([1, 2]);
  });

  it('makes one version of one content when twenty publish it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => store.definitions.publish({ document: definition('storm') })),
    );
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.version))).toEqual(new Set([1]));
  });

  it('numbers versions without gaps when twenty publish different content at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.definitions.publish({ document: definition('race', { name: `v${index}` }) }),
      ),
    );
    expect(answers.map((answer) => answer.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  it('keeps the order of keys and every character of the document', async () => {
    const document = definition('bytes', {
      description: 'ä "quoted" \\u0041 名前',
      vars: { z: 1, a: { __proto__: 1 } },
    });
    const { hash } = await store.definitions.publish({ document });
    const stored = await store.definitions.getByHash(hash);
    expect(JSON.stringify(stored?.document)).toBe(JSON.stringify(document));
  });

  it('stamps bindings, completes those of handlers that were unknown, and leaves known ones alone', async () => {
    const document = definition('bound');
    const publish = (bindings: Parameters<Store['definitions']['publish']>[0]['bindings'] = {}) =>
      store.definitions.publish({ document, bindings });
    await publish({ assign_lead: { version: 1 }, send_email: { version: 2, hasRollback: false } });
    await publish({
      assign_lead: { version: 1, hasRollback: true },
      send_email: { version: 2, hasRollback: true },
    });
    const { version, bindings } = await store.definitions.get('bound');
    expect(version).toBe(1);
    expect(bindings).toEqual({
      assign_lead: { version: 1, hasRollback: true },
      send_email: { version: 2, hasRollback: false },
    });
    await publish({ assign_lead: { version: 3, hasRollback: true } });
    expect((await store.definitions.get('bound')).bindings).toEqual(bindings);
  });
});

describe('a version', () => {
  it.each([
    ["update fermata.definition_versions set document = '{}'"],
    ["update fermata.definition_versions set bindings = '{}'"],
    ['delete from fermata.definition_versions'],
    ['truncate fermata.definition_versions cascade'],
  ])('is protected by the database itself against: %s', async (statement) => {
    await store.definitions.publish({ document: definition('kept'), bindings: { a: { version: 1 } } });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await expect(client.query(statement)).rejects.toThrow(/immutable|never deleted/);
    await client.end();
  });

  it('that is unknown is named in the error, as is an unknown definition', async () => {
    await store.definitions.publish({ document: definition('known') });
    await expect(store.definitions.get('known', 9)).rejects.toMatchObject({ code: 'definition.version_not_found' });
    await expect(store.definitions.activate('known', 9)).rejects.toMatchObject({
      code: 'definition.version_not_found',
    });
    await expect(store.definitions.get('nobody')).rejects.toMatchObject({ code: 'definition.not_found' });
    await expect(store.definitions.get('nobody', 1)).rejects.toMatchObject({ code: 'definition.not_found' });
    await expect(store.definitions.enable('nobody')).rejects.toMatchObject({ code: 'definition.not_found' });
    expect(await store.definitions.getByHash('nothing')).toBeNull();
  });
});

describe('enabled', () => {
  it('follows the document at first and whenever the document changes its mind', async () => {
    await store.definitions.publish({ document: definition('switch', { enabled: false }) });
    expect(await store.definitions.summary('switch')).toMatchObject({ enabled: false });
    await store.definitions.publish({ document: definition('switch', { enabled: true }) });
    expect(await store.definitions.summary('switch')).toMatchObject({ enabled: true });
  });

  it('stays what an operator set while the document says the same as before', async () => {
    await store.definitions.publish({ document: definition('operator') });
    await store.definitions.disable('operator');
    expect(await store.definitions.publish({ document: definition('operator', { name: 'Two' }) })).toMatchObject({
      enabled: false,
    });
    await store.definitions.enable('operator');
    expect(await store.definitions.summary('operator')).toMatchObject({ enabled: true });
  });
});

describe('subscriptions', () => {
  it('are the event triggers of active versions of enabled definitions', async () => {
    const tenant = store.forTenant('subscribed');
    await tenant.definitions.publish({ document: definition('b') });
    await tenant.definitions.publish({ document: definition('a') });
    await tenant.definitions.publish({ document: definition('off', { enabled: false }) });
    await tenant.definitions.publish({ document: { id: 'by-hand', nodes: definition('x').nodes } });
    const changes = await tenant.definitions.changes(0);
    expect(changes.map(({ definitionId, revision }) => [definitionId, revision])).toEqual([
      ['b', 1],
      ['a', 2],
      ['off', 3],
      ['by-hand', 4],
    ]);
    expect(changes.flatMap(({ subscription }) => subscription ?? [])).toEqual(
      ['b', 'a'].map((definitionId) => ({
        tenant: 'subscribed',
        definitionId,
        version: 1,
        triggers: [{ event: 'lead.created', filters: { source: 'Facebook' } }],
      })),
    );
  });

  it('are read on from a revision, in pages, and tell of each changed definition once', async () => {
    const tenant = store.forTenant('changed');
    for (const id of ['a', 'b', 'c']) await tenant.definitions.publish({ document: definition(id) });
    expect((await tenant.definitions.changes(0, 2)).map((change) => change.revision)).toEqual([1, 2]);
    await tenant.definitions.disable('a');
    await tenant.definitions.publish({ document: definition('b', { name: 'B' }) });
    await tenant.definitions.publish({ document: definition('c') });
    expect(
      (await tenant.definitions.changes(2)).map(({ definitionId, revision, subscription }) => [
        definitionId,
        revision,
        subscription?.version ?? null,
      ]),
    ).toEqual([
      ['c', 3, 1],
      ['a', 4, null],
      ['b', 5, 2],
    ]);
    expect(await tenant.definitions.changes(5)).toEqual([]);
  });

  it('get revisions without a gap where many change at once', async () => {
    const tenant = store.forTenant('changed-at-once');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => tenant.definitions.publish({ document: definition(`d${index}`) })),
    );
    const revisions = (await tenant.definitions.changes(0)).map((change) => change.revision);
    expect(revisions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe('tenants', () => {
  it('have the same definition id each for itself', async () => {
    const other = store.forTenant('other');
    await store.definitions.publish({ document: definition('twice') });
    await store.definitions.publish({ document: definition('twice', { name: 'Two' }) });
    expect(await other.definitions.publish({ document: definition('twice', { name: 'Theirs' }) })).toMatchObject({
      version: 1,
    });
    expect((await other.definitions.get('twice')).document.name).toBe('Theirs');
    expect((await other.definitions.list()).map((row) => row.id)).toEqual(['twice']);
    expect(await other.definitions.getByHash((await store.definitions.get('twice')).hash)).toBeNull();
  });
});

describe('listen', () => {
  it('hears every change with the definition that changed, and nothing where nothing changed', async () => {
    const heard: string[] = [];
    const connected = vi.fn<() => void>();
    const listener = store.listen(DEFINITIONS_CHANNEL, (payload) => heard.push(payload), { onConnect: connected });
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(1));
    await store.definitions.publish({ document: definition('heard') });
    await store.definitions.publish({ document: definition('heard') });
    await store.definitions.disable('heard');
    await store.definitions.disable('heard');
    await store.definitions.publish({ document: definition('last') });
    await vi.waitFor(() => expect(heard.at(-1)).toContain('last'));
    expect(heard.map((payload) => (JSON.parse(payload) as { definitionId: string }).definitionId)).toEqual([
      'heard',
      'heard',
      'last',
    ]);
    await listener.close();
  });

  it('comes back when its connection is cut, and says so', async () => {
    const heard: string[] = [];
    const connected = vi.fn<() => void>();
    const failed = vi.fn<(error: unknown) => void>();
    const listener = store.listen('elsewhere', (payload) => heard.push(payload), {
      onConnect: connected,
      onError: failed,
    });
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(1));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'fermata listen'",
    );
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(2), { timeout: 10_000 });
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'store.unavailable' }));
    await client.query("select pg_notify('elsewhere', 'again')");
    await client.end();
    await vi.waitFor(() => expect(heard).toEqual(['again']));
    await listener.close();
  });
});
