/** The expense approval example on real servers: refused, changed, handed in again, approved by two, paid. */
import { connect, type Definition, type Fermata } from 'fermata';
import { createWorker, type FermataWorker } from 'fermata/workers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../examples/expense-approval/commands.ts';
import document from '../../examples/expense-approval/definition.json' with { type: 'json' };
import { closeLedger, pay, reverse } from '../../examples/expense-approval/ledger.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';

let database: TestDatabase;
let rows: pg.Client;
let fermata: Fermata;
let worker: FermataWorker;
let working: Promise<void>;
const definition: Definition = { ...(document as Definition), id: uniqueName('expenses') };
const before = process.env['DATABASE_URL'];

beforeAll(async () => {
  database = await createTestDatabase();
  process.env['DATABASE_URL'] = database.url;
  rows = new pg.Client({ connectionString: database.url });
  await rows.connect();
  const temporal = { address: temporalAddress(), namespace: temporalNamespace() };
  const options = { temporal, databaseUrl: database.url, taskQueue: uniqueName('expenses') };
  fermata = await connect(options);
  worker = await createWorker({ ...options, commands });
  working = worker.run();
  await fermata.definitions.publish(definition);
});

afterAll(async () => {
  worker.shutdown();
  await working;
  await fermata.close();
  await closeLedger();
  await rows.end();
  await database.drop();
  if (before === undefined) delete process.env['DATABASE_URL'];
  else process.env['DATABASE_URL'] = before;
});

const finance = (id: string) => ({ id, roles: ['finance'] });

/** The open task of a node, once the run has come to it. */
async function taskOf(runId: string, nodeId: string): Promise<string> {
  const find = async () => {
    const { items } = await fermata.approvals.list({ runId });
    return items.find((item) => item.nodeId === nodeId)?.taskId;
  };
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return (await find()) ?? '';
}

describe('expense approval on real servers', () => {
  it('goes back to the requester once, then needs two people, and pays what was agreed', async () => {
    const data = { expenseId: uniqueName('E'), requester: 'rita', purpose: 'A chair', amount: 400 };
    const event = { id: uniqueName('evt'), type: 'expense.submitted', source: '/test', data };
    const { runs } = await fermata.events.publish(event);
    const runId = runs[0]?.runId ?? '';

    const first = await taskOf(runId, 'review');
    await expect(fermata.approvals.decide(first, { outcome: 'approved', by: finance('rita') })).rejects.toMatchObject({
      code: 'approval.refused',
      details: { reason: 'excluded' },
    });
    await fermata.approvals.decide(first, { outcome: 'rejected', by: finance('fay'), data: { reason: 'too dear' } });
    const revision = await taskOf(runId, 'revise');
    await fermata.approvals.decide(revision, { outcome: 'resubmitted', by: 'rita', data: { amount: 250 } });
    const second = await taskOf(runId, 'review');
    expect(second).not.toBe(first);
    expect(await fermata.approvals.decide(second, { outcome: 'approved', by: finance('fay') })).toMatchObject({
      status: 'counted',
      settled: null,
    });
    await fermata.approvals.decide(second, { outcome: 'approved', by: finance('finn') });

    expect(await fermata.runs.result(runId)).toEqual({ paymentId: `${runId}/pay/1`, amount: 250, rounds: 2 });
    const paid = await rows.query('select amount::int from expenses.payments where expense_id = $1', [data.expenseId]);
    expect(paid.rows).toEqual([{ amount: 250 }]);
  });
});

describe('payments under a key', () => {
  it('are made once, and can be taken back', async () => {
    const key = uniqueName('key');
    for (const amount of [10, 20]) await pay({ expenseId: key, recipient: 'rita', amount, key });
    await reverse(key);
    const { rows: paid } = await rows.query('select amount::int, reversed from expenses.payments where key = $1', [
      key,
    ]);
    expect(paid).toEqual([{ amount: 10, reversed: true }]);
  });
});
