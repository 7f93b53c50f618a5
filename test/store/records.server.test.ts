import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../definitions/records.ts';
import { runDocument } from '../../definitions/run-document.ts';
import { openStore, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { approvalWait, batch, command, newRun, startFacts, T0, visit } from './builders.ts';

let database: TestDatabase;
let store: Store;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore({ databaseUrl: database.url, max: 10 });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await store.close();
  await database.drop();
});

const ERROR = { type: 'CRM_DOWN', message: 'no', nodeId: 'n2' };

/** The story of a run of two commands, the second failed and taken back by an undo. */
function story(runId: string): RunRecord[] {
  const wait = approvalWait(`${runId}/n3/1`, { seq: 3, users: ['ann'] });
  return [
    { kind: 'state', state: 'running', at: T0 },
    visit(1),
    command(runId, 1),
    command(runId, 1, { state: 'success', result: { ownerId: 'u1' }, finishedAt: T0 + 10 }),
    visit(1, { outcome: 'success', finishedAt: T0 + 10 }),
    visit(2),
    command(runId, 2),
    command(runId, 2, { state: 'failed', error: ERROR, finishedAt: T0 + 20 }),
    visit(2, { outcome: 'error', finishedAt: T0 + 20, error: ERROR }),
    visit(3, { type: 'approval' }),
    wait,
    { ...wait, open: false },
    visit(3, { type: 'approval', outcome: 'rejected', finishedAt: T0 + 30 }),
    command(runId, 3, { commandId: `${runId}/n1/1/undo`, nodeId: 'n1', undoes: `${runId}/n1/1` }),
    command(runId, 3, {
      commandId: `${runId}/n1/1/undo`,
      nodeId: 'n1',
      undoes: `${runId}/n1/1`,
      state: 'success',
      finishedAt: T0 + 40,
    }),
    { kind: 'state', state: 'failed', at: T0 + 50, output: null, error: ERROR, counts: { visits: 3, commands: 3 } },
  ];
}

function expected(runId: string, attempts = new Map<string, number>()) {
  return runDocument(
    { runId, definitionId: 'onboarding', version: 1, startedAt: T0, vars: {}, attempts },
    story(runId),
  );
}

describe('write', () => {
  it('makes the same document that the simulator folds from the same records', async () => {
    await store.records.write([batch('r-fold', story('r-fold'), { start: startFacts() })]);
    expect(await store.runs.document('r-fold')).toEqual(expected('r-fold'));
  });

  it('gives the same rows in whatever order, pieces and repetitions records are written', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(
          story('x').map((_, index) => index),
          { minLength: story('x').length },
        ),
        fc.array(fc.nat({ max: story('x').length - 1 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        async (order, repeated, size) => {
          const runId = `r-order-${number++}`;
          const records = [...order, ...repeated].map((index) => story(runId)[index] as RunRecord);
          for (let at = 0; at < records.length; at += size) {
            await store.records.write([batch(runId, records.slice(at, at + size), { start: startFacts() })]);
          }
          expect(await store.runs.document(runId)).toEqual(expected(runId));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps rows right when many processes write pieces of the same runs at once', async () => {
    const runIds = Array.from({ length: 20 }, (_, index) => `r-race-${index}`);
    const pieces = runIds.flatMap((runId) =>
      story(runId).map((record) => batch(runId, [record], { start: startFacts() })),
    );
    const writers = Array.from({ length: 10 }, (_, writer) =>
      store.records.write(pieces.filter((_piece, index) => index % 10 === writer || index % 7 === writer)),
    );
    await Promise.all(writers);
    for (const runId of runIds) expect(await store.runs.document(runId)).toEqual(expected(runId));
  });

  it('fills in what the client registered, and keeps what it knew', async () => {
    await store.runs.register(newRun('r-known', { input: { from: 'client' }, entity: { type: 'lead', id: 'L-1' } }));
    expect(await store.runs.get('r-known')).toMatchObject({ state: 'pending', startedAt: null });
    await store.records.write([
      batch('r-known', [{ kind: 'state', state: 'running', at: T0 }], { start: startFacts() }),
    ]);
    expect(await store.runs.get('r-known')).toMatchObject({
      state: 'running',
      input: { from: 'client' },
      entity: { type: 'lead', id: 'L-1' },
      startedAt: new Date(T0),
      temporalRunId: 'temporal-1',
    });
  });

  it('lets a run that closed go on when a later record says so', async () => {
    await store.records.write([batch('r-retry', story('r-retry'), { start: startFacts() })]);
    expect(await store.runs.get('r-retry')).toMatchObject({ state: 'failed', completedAt: new Date(T0 + 50) });
    await store.records.write([batch('r-retry', [{ kind: 'state', state: 'running', at: T0 + 90 }])]);
    expect(await store.runs.get('r-retry')).toMatchObject({ state: 'running', completedAt: null, error: null });
  });

  it('keeps and finds text that PostgreSQL could not search: U+0000, lone surrogates, very long names', async () => {
    const result = { odd: 'a\0b\ud800', long: 'x'.repeat(100_000) };
    const users = ['u\0', 'y'.repeat(10_000), 'half\ud800', `${'a'.repeat(511)}😀`];
    const wait = approvalWait('r-odd/n1/1', { users });
    const id = `${'z'.repeat(511)}😀`;
    await store.records.write([
      batch('r-odd', [command('r-odd', 1, { state: 'success', result, finishedAt: T0 }), visit(1), wait], {
        start: startFacts({ entity: { type: 'lead', id } }),
      }),
    ]);
    expect((await store.runs.document('r-odd'))?.commands[0]?.result).toEqual(result);
    expect((await store.approvals.get('r-odd/n1/1')).assignees.users).toEqual(users);
    const { items: runs } = await store.runs.list({ entity: { type: 'lead', id } });
    expect(runs.map((run) => run.runId)).toEqual(['r-odd']);
    for (const assignee of users) {
      const { items } = await store.approvals.list({ assignee, runId: 'r-odd' });
      expect(items.map((item) => item.taskId)).toEqual(['r-odd/n1/1']);
    }
  });

  it('keeps tenants apart that have the same run id', async () => {
    await store.records.write([
      batch('r-both', [visit(1)], { tenant: 'one', start: startFacts() }),
      batch('r-both', [visit(1), visit(2)], { tenant: 'two', start: startFacts() }),
    ]);
    expect((await store.forTenant('one').runs.document('r-both'))?.trace).toHaveLength(1);
    expect((await store.forTenant('two').runs.document('r-both'))?.trace).toHaveLength(2);
    expect(await store.runs.document('r-both')).toBeNull();
  });
});

describe('writeAttempts', () => {
  it('keeps the highest attempt of a command, in whatever order they come', async () => {
    await store.records.write([batch('r-attempts', story('r-attempts'), { start: startFacts() })]);
    const attempt = (number: number) => ({
      tenant: 'default',
      runId: 'r-attempts',
      commandId: 'r-attempts/n1/1',
      attempt: number,
      at: T0 + number,
    });
    await store.records.writeAttempts([attempt(2), attempt(3), attempt(1)]);
    await store.records.writeAttempts([attempt(1)]);
    expect(await store.runs.document('r-attempts')).toEqual(expected('r-attempts', new Map([['r-attempts/n1/1', 3]])));
  });
});

describe('replace', () => {
  it('makes the rows of a run exactly these, whatever stood there', async () => {
    await store.records.write([
      batch(
        'r-replace',
        [...story('r-replace'), visit(9), command('r-replace', 9), approvalWait('r-replace/n9/1', { seq: 9 })],
        {
          start: startFacts(),
        },
      ),
    ]);
    await store.records.replace(batch('r-replace', story('r-replace'), { start: startFacts() }), []);
    expect(await store.runs.document('r-replace')).toEqual(expected('r-replace'));
    await expect(store.approvals.get('r-replace/n9/1')).rejects.toMatchObject({ code: 'approval.not_found' });
  });

  it('may meet a late writer of the same run and still be exact', async () => {
    for (let round = 0; round < 10; round++) {
      const runId = `r-late-${round}`;
      const pieces = story(runId).map((record) =>
        store.records.write([batch(runId, [record], { start: startFacts() })]),
      );
      await Promise.all([...pieces, store.records.replace(batch(runId, story(runId), { start: startFacts() }), [])]);
      expect(await store.runs.document(runId)).toEqual(expected(runId));
    }
  });
});

describe('claimIncompleteRuns', () => {
  const claimed = async (runId: string, options = {}) =>
    (await store.claimIncompleteRuns({ graceMs: 0, quietMs: 0, limit: 1_000, ...options })).find(
      (run) => run.runId === runId,
    );
  const attemptsOf = (runId: string) =>
    ['n1/1', 'n2/1', 'n1/1/undo'].map((command) => ({
      tenant: 'default',
      runId,
      commandId: `${runId}/${command}`,
      attempt: 1,
      at: T0,
    }));

  it('gives a closed run whose first records were lost, with what it began with', async () => {
    await store.records.write([batch('q-beheaded', story('q-beheaded'))]);
    await store.records.writeAttempts(attemptsOf('q-beheaded'));
    expect(await claimed('q-beheaded')).toMatchObject({ closed: true });
  });

  it('never gives a closed run that is whole', async () => {
    await store.records.write([batch('q-whole', story('q-whole'), { start: startFacts() })]);
    await store.records.writeAttempts(attemptsOf('q-whole'));
    expect(await claimed('q-whole')).toBeUndefined();
    const { rows } = await client.query(
      "select whole_at is not null as whole from fermata.runs where run_id = 'q-whole'",
    );
    expect(rows).toEqual([{ whole: true }]);
  });

  it.each(
    story('q-lost').flatMap((record, index) => (record.kind === 'visit' || record.kind === 'command' ? [index] : [])),
  )('gives a closed run from whose end record %i was lost, or the row with it', async (index) => {
    const runId = `q-lost-${index}`;
    const lost = story(runId)[index];
    const last = story(runId).findLastIndex(
      (record) =>
        record.kind === lost?.kind && 'seq' in record && lost !== undefined && 'seq' in lost && record.seq === lost.seq,
    );
    const records = story(runId).filter((_record, at) => at !== last);
    await store.records.write([batch(runId, records, { start: startFacts() })]);
    await store.records.writeAttempts(attemptsOf(runId));
    expect(await claimed(runId)).toMatchObject({
      tenant: 'default',
      closed: true,
      state: 'failed',
      temporalRunId: 'temporal-1',
    });
    await store.records.replace(batch(runId, story(runId), { start: startFacts() }), attemptsOf(runId));
    expect(await claimed(runId)).toBeUndefined();
  });

  it('gives a closed run whose successful command has no attempts', async () => {
    await store.records.write([batch('q-attempts', story('q-attempts'), { start: startFacts() })]);
    await store.records.writeAttempts(attemptsOf('q-attempts').slice(1));
    expect(await claimed('q-attempts')).toMatchObject({ closed: true });
  });

  it('leases a run to one reconciler', async () => {
    await store.records.write([batch('q-lease', [visit(1)], { start: startFacts() })]);
    const found = await Promise.all(Array.from({ length: 5 }, () => claimed('q-lease')));
    expect(found.filter((run) => run !== undefined)).toHaveLength(1);
  });

  it('gives a quiet open run once, then rests as long as it has been quiet, and at once after a new record', async () => {
    await store.records.write([batch('q-open', [visit(1)], { start: startFacts() })]);
    expect(await claimed('q-open', { quietMs: 3_600_000 })).toBeUndefined();
    await client.query("update fermata.runs set recorded_at = now() - interval '10 minutes' where run_id = 'q-open'");
    expect(await claimed('q-open')).toMatchObject({ closed: false, state: 'running' });
    await store.markChecked({ tenant: 'default', runId: 'q-open' });
    expect(await claimed('q-open')).toBeUndefined();
    const { rows } = await client.query<{ minutes: number }>(
      "select round(extract(epoch from check_after - now()) / 60)::int as minutes from fermata.runs where run_id = 'q-open'",
    );
    expect(rows).toEqual([{ minutes: 10 }]);
    await client.query("update fermata.runs set check_after = now() - interval '1 second' where run_id = 'q-open'");
    expect(await claimed('q-open')).toMatchObject({ closed: false });
    await store.records.write([batch('q-open', [visit(2)])]);
    expect(await claimed('q-open')).toMatchObject({ closed: false });
  });
});
