import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunHandle } from '../../client/index.ts';
import type { ApprovalConfig, Definition } from '../../definitions/types.ts';
import { createWorker, type Notification } from '../../workers/index.ts';
import { threeYes } from '../cases/h19-change-request.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const told: Notification[] = [];
/** Fails the first time that it is told of a reminder. */
let failures = 1;
let stopWorker: () => Promise<void>;

const form = { type: 'object', required: ['limit'], properties: { limit: { type: 'number' } } };
const asking = (id: string, config: ApprovalConfig): Definition => ({
  id,
  nodes: [
    {
      id: 'ask',
      type: 'approval',
      config: { assignees: { users: ['ann', 'bob'] }, ...config },
      nextNodeId: 'yes',
      fallbackNodeId: 'no',
    },
    { id: 'yes', type: 'end', config: { output: 'yes' } },
    { id: 'no', type: 'end', config: { output: 'no' } },
  ],
});

async function startWorker(): Promise<void> {
  const worker = await createWorker({
    temporal: { address: temporalAddress(), namespace: temporalNamespace() },
    databaseUrl: bench.database.url,
    tenant: bench.tenant,
    taskQueue: bench.tenant,
    env: {},
    commands: [],
    sweepEveryMs: 100,
    notify(notification) {
      told.push(notification);
      if (notification.kind === 'reminder' && failures-- > 0) throw new Error('the mail server is away');
    },
  });
  const end = worker.run();
  stopWorker = () => (worker.shutdown(), end);
}

async function timersFired(taskId: string): Promise<number> {
  const { events } = await bench.fermata.temporal.workflow.getHandle(taskId.slice(0, -'/ask/1'.length)).fetchHistory();
  return (events ?? []).filter(({ timerFiredEventAttributes: fired }) => Boolean(fired)).length;
}

beforeAll(async () => {
  bench = await startClientBench({ worker: false });
  await startWorker();
  const { definitions } = bench.fermata;
  await definitions.publish(asking('plain', {}));
  await definitions.publish(asking('formal', { form, subject: '${input}', quorum: 2 }));
  await definitions.publish(
    asking('pressing', {
      reminders: ['200ms'],
      escalate: [{ after: '400ms', assignees: { users: ['eve'] }, notify: { room: 7 } }],
    }),
  );
  await definitions.publish(asking('patient', { reminders: ['3s'] }));
  await definitions.publish(threeYes);
});
afterAll(async () => {
  await stopWorker();
  await bench.stop();
});

async function open(definitionId: string, nodeId = 'ask'): Promise<{ run: RunHandle; taskId: string }> {
  const run = await bench.fermata.runs.start(definitionId, { input: { amount: 5 } });
  await vi.waitFor(async () => expect((await run.state()).waiting.length).toBeGreaterThan(0), 20_000);
  return { run, taskId: `${run.id}/${nodeId}/1` };
}

const refusedAs = (reason: string) => ({
  code: 'approval.refused',
  details: expect.objectContaining({ reason }) as unknown,
});

describe('a task', () => {
  it('is claimed by one of two who try at once, listed as theirs, released, and decided by the other', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open('plain');
    const claims = await Promise.allSettled(['ann', 'bob'].map((by) => approvals.claim(taskId, { by })));
    const won = claims.findIndex(({ status }) => status === 'fulfilled');
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [holder = '', other = ''] = won === 0 ? ['ann', 'bob'] : ['bob', 'ann'];
    await expect(approvals.decide(taskId, { outcome: 'approved', by: other })).rejects.toMatchObject(
      refusedAs('claimed'),
    );
    await vi.waitFor(async () => {
      const { items } = await approvals.list({ claimedBy: holder });
      expect(items.map((task) => task.taskId)).toContain(taskId);
    }, 10_000);
    await approvals.release(taskId, { by: holder, door: 'cli' });
    expect(await approvals.decide(taskId, { outcome: 'approved', by: other })).toMatchObject({ settled: 'approved' });
    await run.result();
    await vi.waitFor(async () => {
      const { history, decisions } = await approvals.show(taskId);
      expect(history.map(({ action, by, door }) => [action, by?.id, door])).toEqual([
        ['claim', holder, 'client'],
        ['release', holder, 'cli'],
      ]);
      expect(decisions).toMatchObject([{ by: { id: other }, door: 'client', refusal: null }]);
    }, 10_000);
  });

  it('is delegated: listed for the other person, who may decide, as the first may not', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open('plain');
    await approvals.comment(taskId, { by: 'ann', comment: 'zoe knows more' });
    await approvals.delegate(taskId, { by: 'ann', to: 'zoe' });
    await vi.waitFor(async () => {
      const { items } = await approvals.list({ assignee: 'zoe' });
      expect(items.map((task) => task.taskId)).toContain(taskId);
    }, 10_000);
    await expect(approvals.decide(taskId, { outcome: 'approved', by: 'ann' })).rejects.toMatchObject(
      refusedAs('delegated'),
    );
    await expect(approvals.claim(taskId, { by: 'eve' })).rejects.toMatchObject(refusedAs('not_assignee'));
    expect(await approvals.decide(taskId, { outcome: 'rejected', by: 'zoe' })).toMatchObject({ settled: 'rejected' });
    expect(await run.result()).toBe('no');
    await expect(approvals.claim(taskId, { by: 'bob' })).rejects.toMatchObject(refusedAs('too_late'));
  });

  it('holds its form and subject at every door, and two who decide at once both count', async () => {
    const { approvals, temporal } = bench.fermata;
    const { run, taskId } = await open('formal');
    await expect(
      approvals.decide(taskId, { outcome: 'approved', by: 'ann', data: { limit: 'x' } }),
    ).rejects.toMatchObject({
      code: 'approval.refused',
      details: { reason: 'invalid_form', mismatches: [{ path: '/limit' }] },
    });
    const data = { limit: 5 };
    await expect(
      approvals.decide(taskId, { outcome: 'approved', by: 'ann', data, subject: 'x' }),
    ).rejects.toMatchObject(refusedAs('subject_changed'));
    const handle = temporal.workflow.getHandle(run.id);
    await handle.signal('decide', { nodeId: 'ask', outcome: 'approved', by: { id: 'bob' } });
    await vi.waitFor(async () => {
      const { decisions, form: shown, subject } = await approvals.show(taskId);
      expect(decisions).toMatchObject([{ door: 'signal', refusal: { code: 'invalid_form' } }]);
      expect(shown).toEqual(form);
      expect(subject?.value).toEqual({ amount: 5 });
    }, 10_000);
    const { subject } = await approvals.show(taskId);
    const decide = (by: string) =>
      approvals.decide(taskId, { outcome: 'approved', by, data, subject: subject?.hash ?? '' });
    const answers = await Promise.all([decide('ann'), decide('bob')]);
    expect(answers.map((answer) => answer.status === 'counted' && answer.settled)).toContain('approved');
    expect(await run.result()).toBe('yes');
  });

  it('has people told of it, again where the hook failed, with a key that stays', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open('pressing');
    const mine = () => told.filter(({ task }) => task.taskId === taskId);
    await vi.waitFor(
      () =>
        expect(
          mine()
            .map(({ key }) => key.slice(taskId.length + 1))
            .sort(),
        ).toEqual(['assigned', 'escalated/1', 'reminder/1', 'reminder/1']),
      20_000,
    );
    expect(mine().find(({ kind }) => kind === 'escalated')).toMatchObject({
      notify: { room: 7 },
      to: { users: ['eve'] },
      tenant: bench.tenant,
    });
    expect(await approvals.decide(taskId, { outcome: 'approved', by: 'eve' })).toMatchObject({ settled: 'approved' });
    expect(await run.result()).toBe('yes');
  });

  it('is withdrawn in list and record, and people are told, when its run is cancelled', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open('pressing');
    await run.cancel({ reason: 'enough' });
    await run.result().catch(() => undefined);
    await vi.waitFor(async () => {
      expect(await approvals.show(taskId)).toMatchObject({
        state: 'closed',
        outcome: 'withdrawn',
        withdrawn: 'Cancelled: enough',
      });
    }, 10_000);
    expect(told.some(({ key }) => key === `${taskId}/withdrawn`)).toBe(true);
    const { audit } = await run.show();
    expect(audit?.at(-1)).toMatchObject({ action: 'withdraw', taskId });
  });

  it('is reminded of once, late, where no worker was up at the moment', async () => {
    const { taskId } = await open('patient');
    const mine = () => told.filter(({ key }) => key === `${taskId}/reminder/1`).length;
    await vi.waitFor(() => expect(told.some(({ key }) => key === `${taskId}/assigned`)).toBe(true), 10_000);
    await stopWorker();
    await vi.waitFor(async () => expect(await timersFired(taskId)).toBe(1), { timeout: 20_000, interval: 100 });
    expect(mine()).toBe(0);
    await startWorker();
    await vi.waitFor(() => expect(mine()).toBe(1), 20_000);
    expect(await bench.fermata.approvals.decide(taskId, { outcome: 'approved', by: 'ann' })).toMatchObject({
      settled: 'approved',
    });
    expect(mine()).toBe(1);
  });

  it('of two others is withdrawn when one of three says no (H18 f); each is named by its path', async () => {
    const { approvals } = bench.fermata;
    const { run } = await open('three-yes', 'p1/ask_p1');
    await approvals.decide(`${run.id}/p1/ask_p1/1`, { outcome: 'approved', by: 'p1' });
    await approvals.decide(`${run.id}/p2/ask_p2/1`, { outcome: 'rejected', by: 'p2' });
    expect(await run.result()).toBe('"ask_p2" was decided: rejected');
    await vi.waitFor(async () => {
      const { items } = await approvals.list({ runId: run.id, state: 'all' });
      expect(items.map(({ nodeId, outcome }) => `${nodeId} ${outcome}`).sort()).toEqual([
        'ask_p1 approved',
        'ask_p2 rejected',
        'ask_p3 withdrawn',
      ]);
    }, 10_000);
    await expect(approvals.decide(`${run.id}/p3/ask_p3/1`, { outcome: 'approved', by: 'p3' })).rejects.toMatchObject(
      refusedAs('too_late'),
    );
  });
});
