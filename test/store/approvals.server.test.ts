import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../definitions/records.ts';
import { type ApprovalFilter, openStore, type Store } from '../../store/index.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { approvalWait, batch, startFacts, T0, visit } from './builders.ts';

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

const tasks = async (tenant: Store, filter: ApprovalFilter = {}) =>
  (await tenant.approvals.list(filter)).items.map((approval) => approval.taskId);

function decision(taskId: string, more: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    kind: 'decision',
    taskId,
    nodeId: 'n1',
    outcome: 'approved',
    by: { id: 'ann' },
    data: { amount: 5 },
    comment: null,
    at: '2027-01-01T00:00:00.000Z',
    handledAt: T0,
    refusal: null,
    ...more,
  };
}

describe('list', () => {
  it('gives tasks to those who are named, to those with the role, and to anybody where nobody is named', async () => {
    const tenant = store.forTenant('named');
    const open = (seq: number, more: { users?: string[]; roles?: string[] }) =>
      approvalWait(`r/n${seq}/1`, { seq, ...more });
    await tenant.records.write([
      batch(
        'r',
        [open(1, { users: ['ann'] }), open(2, { roles: ['finance'] }), open(3, {}), open(4, { users: ['bob'] })],
        {
          tenant: 'named',
          start: startFacts(),
        },
      ),
    ]);
    expect(await tasks(tenant)).toEqual(['r/n1/1', 'r/n2/1', 'r/n3/1', 'r/n4/1']);
    expect(await tasks(tenant, { assignee: 'ann' })).toEqual(['r/n1/1', 'r/n3/1']);
    expect(await tasks(tenant, { role: 'finance' })).toEqual(['r/n2/1', 'r/n3/1']);
    expect(await tasks(tenant, { assignee: 'bob', role: ['finance', 'legal'] })).toEqual([
      'r/n2/1',
      'r/n3/1',
      'r/n4/1',
    ]);
    expect(await tasks(tenant, { limit: 1 })).toEqual(['r/n1/1']);
    expect(await tasks(store, { runId: 'r' })).toEqual([]);
  });

  it('follows the cursor over all pages', async () => {
    const tenant = store.forTenant('pages');
    const waits = Array.from({ length: 7 }, (_, index) => approvalWait(`p/n${index}/1`, { seq: index + 1 }));
    await tenant.records.write([batch('p', waits, { tenant: 'pages', start: startFacts() })]);
    const first = await tenant.approvals.list({ limit: 5 });
    const second = await tenant.approvals.list({ limit: 5, cursor: first.cursor ?? '' });
    expect([...first.items, ...second.items].map((approval) => approval.taskId)).toEqual(
      waits.map((wait) => wait.waiting.task?.taskId),
    );
    expect(second.cursor).toBeNull();
  });

  it('takes a task off when its wait is over, its visit ended, or its run closed', async () => {
    const tenant = store.forTenant('over');
    const write = (runId: string, records: Parameters<typeof batch>[1]) =>
      tenant.records.write([batch(runId, records, { tenant: 'over', start: startFacts() })]);
    for (const runId of ['wait', 'visit', 'run', 'open']) {
      await write(runId, [visit(1, { type: 'approval' }), approvalWait(`${runId}/n1/1`)]);
    }
    await write('wait', [{ ...approvalWait('wait/n1/1'), open: false }]);
    await write('visit', [visit(1, { type: 'approval', outcome: 'approved', finishedAt: T0 })]);
    await write('run', [{ kind: 'state', state: 'cancelled', at: T0, counts: { visits: 1, commands: 0 } }]);
    expect(await tasks(tenant)).toEqual(['open/n1/1']);
    expect((await tasks(tenant, { state: 'closed' })).sort()).toEqual(['run/n1/1', 'visit/n1/1', 'wait/n1/1']);
    expect(await tasks(tenant, { state: 'all' })).toHaveLength(4);
    expect(await tenant.approvals.get('visit/n1/1')).toMatchObject({ state: 'closed', outcome: 'approved' });
  });
});

describe('get', () => {
  it('shows the decisions that counted and those that were refused, each once', async () => {
    const refused = decision('a/n1/1', {
      by: { id: 'bob' },
      handledAt: T0 + 5,
      refusal: { code: 'wrong_person', message: 'bob is not named' },
    });
    const records = [approvalWait('a/n1/1'), refused, decision('a/n1/1')];
    await store.records.write([batch('a', records, { start: startFacts() })]);
    await store.records.write([batch('a', records)]);
    const approval = await store.approvals.get('a/n1/1');
    expect(approval).toMatchObject({ title: 'Approve a/n1/1', state: 'open', runId: 'a', definitionId: 'onboarding' });
    expect(approval.decisions).toEqual([decision('a/n1/1'), refused]);
  });

  it('says which task is unknown', async () => {
    await expect(store.approvals.get('nobody')).rejects.toMatchObject({
      code: 'approval.not_found',
      details: { taskId: 'nobody' },
    });
  });
});

describe('the outbox of decisions', () => {
  const submit = (tenant: Store, id: string, leaseMs = 0) =>
    tenant.decisions.submit({
      id,
      taskId: 'r/n1/1',
      runId: 'r',
      decision: { nodeId: 'n1', outcome: 'approved', by: { id: 'ann' } },
      door: 'cli',
      leaseMs,
    });
  const claimed = async (leaseMs = 60_000) => (await store.claimDecisions({ leaseMs })).map((row) => row.id);

  it('keeps a decision once, by its id, and leaves it to the door that wrote it for a while', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(store, 'o-once', 60_000)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await claimed()).toEqual([]);
  });

  it('gives an unanswered decision to one deliverer at a time until it is answered', async () => {
    await submit(store, 'o-1');
    await submit(store.forTenant('other'), 'o-2');
    const shares = await Promise.all([claimed(), claimed(), claimed()]);
    expect(shares.flat()).toEqual(['o-1', 'o-2']);
    expect(await claimed()).toEqual([]);
    await store.decisions.postpone('o-1', 'no worker answered', 0);
    const [again] = await store.claimDecisions({ leaseMs: 0 });
    expect(again).toMatchObject({ id: 'o-1', deliveries: 2, lastError: 'no worker answered', tenant: 'default' });
    expect(await store.decisions.answer('o-1', { counted: true })).toBe(true);
    expect(await claimed()).toEqual([]);
  });

  it('keeps the first answer', async () => {
    await submit(store, 'o-answer', 60_000);
    expect(await store.decisions.answer('o-answer', { counted: true })).toBe(true);
    expect(await store.decisions.answer('o-answer', { counted: false })).toBe(false);
    expect(await store.decisions.get('o-answer')).toMatchObject({ answer: { counted: true } });
    expect(await store.decisions.get('nobody')).toBeNull();
  });
});
