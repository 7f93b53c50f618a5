import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WaitAnswer, WaitRegistration } from '../../definitions/event-waits.ts';
import type { CloudEvent, Json } from '../../definitions/types.ts';
import { openStore, type Store } from '../../store/index.ts';
import { keyOfEvent, keyOfWait } from '../../store/event-waits/correlation-key.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { batch, newRun } from './builders.ts';

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

const LONG_AGO = Date.parse('2020-01-01T00:00:00Z');

function paid(id: string, orderId: Json, type = 'paid'): CloudEvent {
  return { id, type, source: '/shop', time: '2027-01-01T00:00:00Z', data: { orderId } };
}

function wait(runId: string, more: Partial<WaitRegistration> = {}): WaitRegistration {
  const correlation = { 'data.orderId': runId };
  return {
    waitId: `${runId}/wait/1`,
    runId,
    nodeId: 'wait',
    types: ['paid'],
    correlation,
    shown: correlation,
    filter: null,
    since: null,
    runStartedAt: LONG_AGO,
    ended: [],
    after: null,
    ...more,
  };
}

/** As a publisher does: accepts, then looks for waits. */
async function publish(event: CloudEvent, to = store): Promise<readonly string[]> {
  await to.events.accept({ event, starts: [] });
  await to.eventWaits.match(event);
  return (await to.eventWaits.pending(event.id, 1_000)).map((delivery) => delivery.waitId);
}

const ids = ({ events }: WaitAnswer): string[] => events.map(({ event }) => event.id);

describe('the key of a correlation', () => {
  it('is the same for waits that write the same paths otherwise, and for an event with these values', () => {
    const { key, paths } = keyOfWait({ 'data.orderId': 'O-7', subject: 'a' });
    expect(keyOfWait({ subject: 'a', '["data"].orderId': 'O-7' })).toEqual({ key, paths });
    expect(keyOfEvent(paths, { ...paid('e', 'O-7'), subject: 'a' })).toBe(key);
  });

  it.each([
    ['another value', 'O-8'],
    ['a number for a text', 7],
    ['null', null],
    ['a list', ['O-7']],
  ])('is not that of an event with %s', (_, orderId) => {
    const { key, paths } = keyOfWait({ 'data.orderId': 'O-7' });
    expect(keyOfEvent(paths, paid('e', orderId))).not.toBe(key);
  });

  it('is none for an event without the path', () => {
    const { paths } = keyOfWait({ 'data.orderId': null });
    expect(keyOfEvent(paths, { ...paid('e', 1), data: {} })).toBeNull();
    expect(keyOfEvent(paths, paid('e', null))).toBe(keyOfWait({ 'data.orderId': null }).key);
  });
});

describe('a wait', () => {
  it('is given what was there before it, in order of arrival, from the first use of its paths on', async () => {
    for (const id of ['f-1', 'f-2', 'f-3']) await publish(paid(id, 'F-1', 'first.use'));
    await publish(paid('f-other', 'F-2', 'first.use'));
    const asked = { types: ['first.use'], filter: 'event.data.x' };
    expect(ids(await store.eventWaits.register(wait('F-1', asked)))).toEqual(['f-1', 'f-2', 'f-3']);
    await publish(paid('f-4', 'F-1', 'first.use'));
    const again = wait('F-1', { ...asked, waitId: 'F-1/wait/2' });
    expect(ids(await store.eventWaits.register(again))).toEqual(['f-1', 'f-2', 'f-3', 'f-4']);
  });

  it('without a filter is given one event at a time, and the next where the first is not wanted', async () => {
    for (const id of ['p-1', 'p-2']) await publish(paid(id, 'P-1'));
    const first = await store.eventWaits.register(wait('P-1'));
    expect(ids(first)).toEqual(['p-1']);
    const second = await store.eventWaits.register(wait('P-1', { after: first.next }));
    expect(ids(second)).toEqual(['p-2']);
    expect(await store.eventWaits.register(wait('P-1', { after: second.next }))).toEqual({ events: [], next: null });
  });

  it('is not given what the run has taken', async () => {
    for (const id of ['t-1', 't-2']) await publish(paid(id, 'T-1'));
    await store.eventWaits.register(wait('T-1'));
    const ended = [{ waitId: 'T-1/wait/1', took: 't-1' }];
    const answer = await store.eventWaits.register(wait('T-1', { waitId: 'T-1/wait/2', ended }));
    expect(ids(answer)).toEqual(['t-2']);
    expect(await publish(paid('t-3', 'T-1'))).toEqual(['T-1/wait/2']);
  });

  it('means no event from before its run began, unless it looks back', async () => {
    await publish(paid('s-1', 'S-1'));
    await store.runs.register(newRun('S-1'));
    const startedAt = (await store.events.get('s-1'))?.acceptedAt.getTime() ?? 0;
    const begun = wait('S-1', { runStartedAt: startedAt + 60_000 });
    expect(ids(await store.eventWaits.register(begun))).toEqual([]);
    const back = wait('S-1', { waitId: 'S-1/wait/2', since: startedAt - 1_000 });
    expect(ids(await store.eventWaits.register(back))).toEqual(['s-1']);
  });

  it('is not told of an event that was accepted before it counts, however late that is finished', async () => {
    await store.events.accept({ event: paid('l-1', 'L-1'), starts: [] });
    const acceptedAt = (await store.events.get('l-1'))?.acceptedAt.getTime() ?? 0;
    await store.eventWaits.register(wait('L-1', { since: acceptedAt + 1 }));
    await store.eventWaits.match(paid('l-1', 'L-1'));
    expect(await store.eventWaits.pending('l-1', 10)).toEqual([]);
  });

  it('of several types is found by each of them', async () => {
    await store.eventWaits.register(wait('M-1', { types: ['m.one', 'm.two'] }));
    expect(await publish(paid('m-1', 'M-1', 'm.one'))).toEqual(['M-1/wait/1']);
    expect(await publish(paid('m-2', 'M-1', 'm.two'))).toEqual(['M-1/wait/1']);
    expect(await publish(paid('m-3', 'M-1', 'm.three'))).toEqual([]);
  });

  it('that asks for the past of a type with many events has them all, once', async () => {
    const tenant = store.forTenant('past');
    const wanted = Array.from({ length: 450 }, (_, index) => `past-${String(index).padStart(3, '0')}`);
    for (const id of wanted) await tenant.events.accept({ event: paid(id, Number(id.slice(-3)) % 9), starts: [] });
    const asked = wait('past', { correlation: { 'data.orderId': 0 }, filter: 'event.data.x' });
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const answer: WaitAnswer = await tenant.eventWaits.register({ ...asked, after });
      found.push(...ids(answer));
      after = answer.next;
      if (after === null) break;
    }
    expect(found).toEqual(wanted.filter((id) => Number(id.slice(-3)) % 9 === 0));
  });

  it('sees nothing of other tenants, nor they of it', async () => {
    await store.forTenant('one').eventWaits.register(wait('X-1'));
    expect(await publish(paid('x-1', 'X-1'), store.forTenant('two'))).toEqual([]);
    expect(ids(await store.forTenant('one').eventWaits.register(wait('X-1')))).toEqual([]);
  });
});

describe('an event and a wait that come at the same moment', () => {
  it('always find each other: two hundred pairs, none lost', async () => {
    const pairs = Array.from({ length: 200 }, (_, index) => `race-${index}`);
    const reached = await Promise.all(
      pairs.map(async (name) => {
        const [told, answer] = await Promise.all([
          publish(paid(`evt-${name}`, name, 'race')),
          store.eventWaits.register(wait(name, { types: ['race'] })),
        ]);
        // The run takes an event once, from whichever side it comes.
        return new Set([...told.map(() => `evt-${name}`), ...ids(answer)]);
      }),
    );
    expect(reached.map((events) => [...events])).toEqual(pairs.map((name) => [`evt-${name}`]));
  });

  it('find each other also where paths are compared for the first time', async () => {
    for (let round = 0; round < 40; round++) {
      const name = `new-${round}`;
      const [told, answer] = await Promise.all([
        publish(paid(`evt-${name}`, name, `type-${round}`)),
        store.eventWaits.register(wait(name, { types: [`type-${round}`] })),
      ]);
      expect(told.length + answer.events.length).toBeGreaterThan(0);
    }
  });
});

describe('a wait that is over', () => {
  const waiting = (runId: string, event: { took: string | null; missed?: { eventId: string; message: string }[] }) =>
    ({
      nodeId: 'wait',
      kind: 'event',
      since: 1,
      until: null,
      for: 'the event paid',
      event: { waitId: `${runId}/wait/1`, types: ['paid'], correlation: {}, missed: [], ...event },
    }) as const;

  it('is closed by its record, which also says what it took and what it missed', async () => {
    await store.eventWaits.register(wait('R-1', { filter: 'event.data.ok' }));
    const missed = [{ eventId: 'r-0', message: 'is false' }];
    const told = waiting('R-1', { took: 'r-1', missed });
    await store.records.write([batch('R-1', [{ kind: 'wait', seq: 1, open: false, waiting: told }])]);
    expect(await publish(paid('r-2', 'R-1'))).toEqual([]);
    const explained = await store.eventWaits.explain(paid('r-1', 'R-1'), { limit: 10, runId: 'R-1' });
    expect(explained).toMatchObject([{ runId: 'R-1', took: 'r-1', missed, correlates: true }]);
  });

  it('is closed when its run ends', async () => {
    await store.eventWaits.register(wait('R-2'));
    const end = { kind: 'state', state: 'cancelled', at: 2, counts: { visits: 1, commands: 0 } } as const;
    await store.records.write([batch('R-2', [end])]);
    expect(await publish(paid('r-3', 'R-2'))).toEqual([]);
  });

  it('is closed when its run is not there to be told', async () => {
    await store.eventWaits.register(wait('R-3'));
    expect(await publish(paid('r-4', 'R-3'))).toEqual(['R-3/wait/1']);
    await store.eventWaits.settle('r-4', [{ runId: 'R-3', status: 'ended' }]);
    expect(await store.eventWaits.deliveries('r-4', 10)).toMatchObject([{ status: 'ended' }]);
    expect(await publish(paid('r-5', 'R-3'))).toEqual([]);
  });

  it('stays closed when its registration comes late', async () => {
    await store.eventWaits.register(wait('R-4'));
    await store.records.write([
      batch('R-4', [{ kind: 'wait', seq: 1, open: false, waiting: waiting('R-4', { took: null }) }]),
    ]);
    await store.eventWaits.register(wait('R-4'));
    expect(await publish(paid('r-6', 'R-4'))).toEqual([]);
  });
});

describe('an event that is for waits', () => {
  it('is not done before they were told', async () => {
    await store.eventWaits.register(wait('D-1'));
    await publish(paid('d-1', 'D-1'));
    await store.events.settle('d-1', []);
    expect(await store.events.get('d-1')).toMatchObject({ done: false });
    await store.eventWaits.settle('d-1', [{ runId: 'D-1', status: 'delivered' }]);
    await store.events.settle('d-1', []);
    expect(await store.events.get('d-1')).toMatchObject({ done: true });
  });
});

describe('a hundred thousand open waits of one type', () => {
  it('cost an event two reads of an index', async () => {
    const crowded = await createTestDatabase();
    const client = new pg.Client({ connectionString: crowded.url });
    await client.connect();
    // A session tells what it has read when it ends, at the latest.
    const inSession = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      const one = openStore({ databaseUrl: crowded.url, max: 1 });
      const result = await work(one);
      await one.close();
      return result;
    };
    const reads = async (): Promise<{ whole: number; rows: number }> => {
      const { rows } = await client.query<{ whole: string; rows: string }>(`
        select seq_scan as whole, idx_tup_fetch as rows from pg_stat_user_tables
        where schemaname = 'fermata' and relname = 'event_waits'`);
      return { whole: Number(rows[0]?.whole), rows: Number(rows[0]?.rows) };
    };
    await inSession((one) => one.eventWaits.register(wait('crowd-0')));
    await client.query(`
      insert into fermata.event_waits (tenant, wait_id, type, run_id, node_id, correlation, expected, since)
      select 'default', 'crowd-' || n, 'paid', 'crowd-' || n, 'wait', md5(n::text), '{}', to_timestamp(0)
      from generate_series(1, 100000) as n`);
    await client.query('analyze fermata.event_waits');
    await client.query('select pg_stat_force_next_flush()');
    const before = await reads();
    const found = await inSession((one) => publish(paid('crowd-evt', 'crowd-0'), one));
    const after = await reads();
    await client.end();
    await crowded.drop();
    expect(found).toEqual(['crowd-0/wait/1']);
    expect(after.whole).toBe(before.whole);
    expect(after.rows - before.rows).toBeLessThan(10);
  });
});
