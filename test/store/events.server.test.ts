import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { definition, event, start } from './builders.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore({ databaseUrl: database.url, max: 30 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const refusal = { type: 'INPUT_INVALID', message: 'no email', nodeId: null };

describe('accept', () => {
  it('has one winner of a hundred deliveries at once, and one answer for all', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        store.events.accept({ event: event('e-storm'), starts: [start('d1', 'e-storm'), start('d2', 'e-storm')] }),
      ),
    );
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    const told = new Set(answers.map(({ created: _created, ...answer }) => JSON.stringify(answer)));
    expect(told.size).toBe(1);
    expect(answers[0]?.deliveries.map((delivery) => delivery.runId)).toEqual(['d1/e-storm', 'd2/e-storm']);
    expect((await store.runs.list({ eventId: 'e-storm' })).items).toHaveLength(2);
  });

  it('fixes which definitions an event starts at the first acceptance', async () => {
    await store.events.accept({
      event: event('e-fixed'),
      starts: [start('d1', 'e-fixed')],
      unmatched: [{ definitionId: 'd3', version: 1, reason: { path: 'source' } }],
    });
    const again = await store.events.accept({
      event: event('e-fixed'),
      starts: [start('d1', 'e-fixed'), start('d2', 'e-fixed')],
    });
    expect(again.deliveries.map((delivery) => delivery.definitionId)).toEqual(['d1']);
    expect(again.unmatched).toEqual([{ definitionId: 'd3', version: 1, reason: { path: 'source' } }]);
  });

  it('stores nothing of an event that was matched against definitions that have changed since', async () => {
    const tenant = store.forTenant('revised');
    await tenant.definitions.publish({ document: definition('d1') });
    const acceptance = { event: event('e-revised'), starts: [start('d1', 'e-revised')] };
    expect(await tenant.events.accept({ ...acceptance, revision: 0 })).toBeNull();
    expect(await tenant.events.get('e-revised')).toBeNull();
    expect(await tenant.events.accept({ ...acceptance, revision: 1 })).toMatchObject({ created: true });
    expect(await tenant.events.accept({ ...acceptance, revision: 1 })).toMatchObject({ created: false });
  });

  it('refuses the same id with other content', async () => {
    await store.events.accept({ event: event('e-conflict', { a: 1 }), starts: [] });
    await expect(store.events.accept({ event: event('e-conflict', { a: 2 }), starts: [] })).rejects.toMatchObject({
      code: 'event.conflict',
      details: { eventId: 'e-conflict' },
    });
    expect((await store.events.get('e-conflict'))?.event.data).toEqual({ a: 1 });
  });

  it('takes keys in another order, and a time that a door filled in, for the same content', async () => {
    await store.events.accept({ event: event('e-same', { a: 1, b: { c: 2, d: 3 } }), starts: [] });
    const reordered = event('e-same', { b: { d: 3, c: 2 }, a: 1 });
    expect(await store.events.accept({ event: reordered, starts: [] })).toMatchObject({ created: false });
    const later = { ...event('e-same', { a: 1, b: { c: 2, d: 3 } }), time: '2027-05-05T00:00:00Z' };
    expect(await store.events.accept({ event: later, timeGiven: false, starts: [] })).toMatchObject({ created: false });
    await expect(store.events.accept({ event: later, starts: [] })).rejects.toMatchObject({ code: 'event.conflict' });
  });

  it('keeps order, odd keys and big numbers of the data', async () => {
    const data = JSON.parse('{"z":1,"__proto__":{"x":1},"10":2,"a.b":1e300,"名前":"\\ud83d"}') as object;
    await store.events.accept({ event: event('e-odd', data as never), starts: [] });
    const stored = await store.events.get('e-odd');
    expect(JSON.stringify(stored?.event.data)).toBe(JSON.stringify(data));
  });

  it('is each tenant on its own', async () => {
    await store.events.accept({ event: event('e-tenant', { a: 1 }), starts: [] });
    const other = store.forTenant('other');
    expect(await other.events.get('e-tenant')).toBeNull();
    expect(await other.events.accept({ event: event('e-tenant', { a: 2 }), starts: [] })).toMatchObject({
      created: true,
    });
  });

  it('waits for the disk', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // The server of the tests does not wait by itself; connections made from here on do.
    await client.query(`alter database ${new URL(database.url).pathname.slice(1)} set synchronous_commit = on`);
    const waiting = openStore({ databaseUrl: database.url });
    await client.query(`
      create table seen (id text, mode text);
      create function see() returns trigger language plpgsql as
        'begin insert into seen values (new.id, current_setting(''synchronous_commit'')); return new; end';
      create trigger see before insert on fermata.events for each row execute function see();`);
    await waiting.events.accept({ event: event('e-disk'), starts: [] });
    await waiting.close();
    const { rows } = await client.query("select mode from seen where id = 'e-disk'");
    await client.query('drop trigger see on fermata.events');
    await client.end();
    expect(rows).toEqual([{ mode: 'on' }]);
  });
});

describe('settle', () => {
  it('makes an event done with its last delivery', async () => {
    await store.events.accept({ event: event('e-two'), starts: [start('d1', 'e-two'), start('d2', 'e-two')] });
    await store.events.settle('e-two', [{ definitionId: 'd1', refusal: null }]);
    expect(await store.events.get('e-two')).toMatchObject({ done: false });
    await store.events.settle('e-two', [{ definitionId: 'd2', refusal: null }]);
    expect(await store.events.get('e-two')).toMatchObject({
      done: true,
      deliveries: [{ status: 'started', start: null }, { status: 'started' }],
    });
  });

  it('makes it done when many settle different deliveries at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
    await store.events.accept({ event: event('e-many'), starts: ids.map((id) => start(id, 'e-many')) });
    await Promise.all(ids.map((definitionId) => store.events.settle('e-many', [{ definitionId, refusal: null }])));
    expect(await store.events.get('e-many')).toMatchObject({ done: true });
  });

  it('keeps the first settlement of a delivery', async () => {
    await store.events.accept({ event: event('e-once'), starts: [start('d1', 'e-once')] });
    await store.events.settle('e-once', [{ definitionId: 'd1', refusal: null }]);
    await store.events.settle('e-once', [{ definitionId: 'd1', refusal }]);
    expect((await store.events.get('e-once'))?.deliveries).toMatchObject([{ status: 'started', error: null }]);
  });

  it('of a refused start takes its pending run away and keeps the reason', async () => {
    await store.events.accept({
      event: event('e-refused'),
      starts: [start('d1', 'e-refused')],
      refusals: [{ definitionId: 'd2', version: 1, error: refusal }],
    });
    await store.events.settle('e-refused', [{ definitionId: 'd1', refusal }]);
    expect(await store.events.get('e-refused')).toMatchObject({
      done: true,
      deliveries: [
        { definitionId: 'd1', status: 'refused', error: refusal },
        { definitionId: 'd2', status: 'refused', error: refusal, runId: null },
      ],
    });
    expect((await store.runs.list({ eventId: 'e-refused' })).items).toEqual([]);
  });

  it('makes an event that starts nothing done, once its waits were looked for', async () => {
    expect(await store.events.accept({ event: event('e-nothing'), starts: [] })).toMatchObject({ done: false });
    await store.events.settle('e-nothing', []);
    expect(await store.events.get('e-nothing')).toMatchObject({ done: true });
  });
});

describe('claimEvents', () => {
  const claim = async (ids: readonly string[], leaseMs = 60_000) =>
    (await store.claimEvents({ olderThanMs: 0, leaseMs, limit: 1_000 }))
      .map((found) => found.event.id)
      .filter((id) => ids.includes(id));

  it('gives an unfinished event with what its runs are to be started with', async () => {
    const tenant = store.forTenant('swept');
    await tenant.events.accept({
      event: event('e-crash'),
      starts: [start('d1', 'e-crash'), start('d2', 'e-crash')],
      leaseMs: 0,
    });
    await tenant.events.settle('e-crash', [{ definitionId: 'd1', refusal: null }]);
    const claimed = await store.claimEvents({ olderThanMs: 0, limit: 1_000 });
    expect(claimed.find((found) => found.event.id === 'e-crash')).toMatchObject({
      tenant: 'swept',
      done: false,
      deliveries: [
        { definitionId: 'd1', status: 'started', start: null },
        {
          definitionId: 'd2',
          status: 'pending',
          start: { hash: 'h1', input: { lead: 'd2/e-crash' }, initiator: { id: '/crm', kind: 'event' }, entity: null },
        },
      ],
    });
  });

  it('leaves young events, leased events and finished events alone', async () => {
    await store.events.accept({ event: event('e-leased'), starts: [start('d1', 'e-leased')] });
    await store.events.accept({ event: event('e-done'), starts: [], leaseMs: 0 });
    await store.events.settle('e-done', []);
    await store.events.accept({ event: event('e-young'), starts: [start('d1', 'e-young')], leaseMs: 0 });
    expect(await claim(['e-leased', 'e-done'])).toEqual([]);
    const old = await store.claimEvents({ olderThanMs: 3_600_000, limit: 1_000 });
    expect(old).toEqual([]);
  });

  it('gives an event to one of many sweepers, and again when the lease is over', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `e-shared-${index}`);
    for (const id of ids) await store.events.accept({ event: event(id), starts: [start('d1', id)], leaseMs: 0 });
    const shares = await Promise.all(Array.from({ length: 6 }, () => claim(ids)));
    expect(shares.flat().sort()).toEqual([...ids].sort());
    await store.events.accept({ event: event('e-again'), starts: [start('d1', 'e-again')], leaseMs: 0 });
    expect(await claim(['e-again'], 0)).toEqual(['e-again']);
    expect(await claim(['e-again'], 60_000)).toEqual(['e-again']);
    expect(await claim(['e-again'])).toEqual([]);
  });
});
