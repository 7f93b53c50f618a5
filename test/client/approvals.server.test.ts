import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliverDecisions, type RunHandle } from '../../client/index.ts';
import type { Definition } from '../../definitions/types.ts';
import { uniqueName } from '../setup/temporal.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const paying: Definition = {
  id: 'paying',
  nodes: [
    {
      id: 'ok',
      type: 'approval',
      config: { title: 'Pay ${input.amount}?', assignees: { users: ['ann', 'bob'], roles: ['cfo'] }, timeout: '1h' },
      nextNodeId: 'yes',
      fallbackNodeId: 'no',
    },
    { id: 'yes', type: 'end', config: { output: '${nodes.ok.output.decisions[0].by.id}' } },
    { id: 'no', type: 'end', config: { output: 'no' } },
  ],
};

beforeAll(async () => {
  bench = await startClientBench();
  await bench.fermata.definitions.publish(paying);
});
afterAll(() => bench.stop());

async function open(): Promise<{ run: RunHandle; taskId: string }> {
  const run = await bench.fermata.runs.start('paying', { input: { amount: 5 } });
  const taskId = `${run.id}/ok/1`;
  await vi.waitFor(async () => expect((await run.state()).waiting).toHaveLength(1), 20_000);
  return { run, taskId };
}

describe('an approval', () => {
  it('is listed for those who may decide it, shown, decided, and shows who decided', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open();
    await vi.waitFor(async () => {
      const { items } = await approvals.list({ assignee: 'ann' });
      expect(items.map((task) => task.taskId)).toContain(taskId);
    }, 10_000);
    expect((await approvals.list({ assignee: 'eve' })).items).toEqual([]);
    expect(await approvals.show(taskId)).toMatchObject({ title: 'Pay 5?', state: 'open', decisions: [] });
    expect(await approvals.decide(taskId, { outcome: 'approved', by: 'ann', comment: 'fine' })).toMatchObject({
      status: 'counted',
      taskId,
      settled: 'approved',
    });
    expect(await run.result()).toBe('ann');
    await vi.waitFor(async () => {
      expect(await approvals.show(taskId)).toMatchObject({
        state: 'closed',
        decisions: [{ outcome: 'approved', by: { id: 'ann' }, comment: 'fine', refusal: null }],
      });
    }, 10_000);
  });

  it('counts one decision of a request that is repeated, and gives the same answer', async () => {
    const { approvals } = bench.fermata;
    const { taskId } = await open();
    const id = uniqueName('d');
    const decision = { outcome: 'approved', by: { id: 'eve', roles: ['cfo'] } };
    const first = await approvals.decide(taskId, decision, { id, door: 'cli' });
    expect(await approvals.decide(taskId, decision, { id, door: 'cli' })).toEqual(first);
    await expect(approvals.decide(taskId, { outcome: 'rejected', by: 'ann' }, { id })).rejects.toMatchObject({
      code: 'approval.invalid',
    });
  });

  it.each([
    ['by somebody else', { outcome: 'approved', by: 'eve' }, 'not_assignee'],
    ['with an outcome that it does not have', { outcome: 'perhaps', by: 'ann' }, 'unknown_outcome'],
  ])('refuses a decision %s, with the reason, and stays open', async (_what, decision, reason) => {
    const { run, taskId } = await open();
    await expect(bench.fermata.approvals.decide(taskId, decision)).rejects.toMatchObject({
      code: 'approval.refused',
      details: { taskId, reason },
    });
    expect((await run.state()).waiting).toHaveLength(1);
    await run.cancel();
  });

  it('refuses a decision after it was decided, in its first second as well as for ever', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open();
    await approvals.decide(taskId, { outcome: 'rejected', by: 'bob' });
    expect(await run.result()).toBe('no');
    await expect(approvals.decide(taskId, { outcome: 'approved', by: 'ann' })).rejects.toMatchObject({
      code: 'approval.refused',
      details: { reason: 'too_late' },
    });
  });

  it('refuses what is no decision, and what is no task', async () => {
    const { approvals } = bench.fermata;
    const { run, taskId } = await open();
    const decide = (decision: unknown, task = taskId) => approvals.decide(task, decision as never);
    await expect(decide({ outcome: '', by: 'ann' })).rejects.toMatchObject({ code: 'approval.invalid' });
    await expect(decide({ outcome: 'approved', by: {} })).rejects.toMatchObject({ code: 'approval.invalid' });
    await expect(decide({ outcome: 'approved', by: 'ann', extra: 1 })).rejects.toMatchObject({
      code: 'approval.invalid',
    });
    await expect(decide({ outcome: 'approved', by: 'ann', data: 'x'.repeat(300_000) })).rejects.toMatchObject({
      code: 'input.too_large',
    });
    for (const task of ['x', 'paying/other/ok/1', `${bench.tenant}/paying/unknown/ok/1`]) {
      await expect(decide({ outcome: 'approved', by: 'ann' }, task)).rejects.toMatchObject({
        code: 'approval.not_found',
      });
    }
    await expect(decide({ outcome: 'approved', by: 'ann' }, `${run.id}/nowhere/1`)).rejects.toMatchObject({
      code: 'approval.refused',
    });
    await run.cancel();
  });
});

describe('a decision', () => {
  it('that was given while no worker is up is stored, and counts when one comes', async () => {
    const { approvals, store } = bench.fermata;
    const { run, taskId } = await open();
    await bench.stopWorker();
    const given = await approvals.decide(taskId, { outcome: 'approved', by: 'ann' }, { timeoutMs: 300 });
    expect(given).toMatchObject({ status: 'stored', taskId, message: expect.stringContaining('is stored') });
    await bench.startWorker();
    expect(await run.result({ timeoutMs: 30_000 })).toBe('ann');
    await vi.waitFor(
      async () => {
        await deliverDecisions(bench.fermata);
        const { answer } = (await store.decisions.get(given.decisionId)) ?? {};
        expect(answer).toMatchObject({ counted: true });
      },
      { timeout: 30_000 },
    );
  });

  it('that was given while Temporal is down is stored, and counts when it is back', async () => {
    const { run, taskId } = await open();
    const cutOff = await bench.connect({ temporal: { address: '127.0.0.1:1' }, requireTemporal: false });
    const id = uniqueName('down');
    const decide = (client: typeof cutOff) =>
      client.approvals.decide(taskId, { outcome: 'approved', by: 'ann' }, { id });
    expect(await decide(cutOff)).toEqual({
      status: 'stored',
      decisionId: id,
      taskId,
      message: expect.stringMatching(/Temporal at 127\.0\.0\.1:1 cannot be reached.*stored/),
    });
    expect(await run.result({ timeoutMs: 30_000 })).toBe('ann');
    expect(await decide(bench.fermata)).toEqual({ status: 'counted', decisionId: id, taskId, settled: 'approved' });
  });

  it('for a run that Temporal does not know is refused, not tried for ever', async () => {
    const { approvals, store } = bench.fermata;
    const runId = `${bench.tenant}/paying/${uniqueName('never')}`;
    const initiator = { id: 'ann', kind: 'user' as const };
    const row = { runId, definitionId: 'paying', version: 1, hash: null, input: null, eventId: null, initiator };
    await store.runs.register({ ...row, entity: null });
    const id = uniqueName('d');
    await expect(approvals.decide(`${runId}/ok/1`, { outcome: 'approved', by: 'ann' }, { id })).rejects.toMatchObject({
      code: 'approval.refused',
      details: { reason: 'too_late' },
    });
    expect(await store.decisions.get(id)).toMatchObject({ answer: { counted: false } });
  });

  it('whose answer was lost on the way counts, though the run has gone on', async () => {
    const { approvals, store } = bench.fermata;
    const { run, taskId } = await open();
    const at = new Date().toISOString();
    const decision = { nodeId: 'ok', visit: 1, outcome: 'approved', by: { id: 'ann' }, at };
    await bench.fermata.temporal.workflow.getHandle(run.id).executeUpdate('decide', { args: [decision] });
    await run.result();
    await vi.waitFor(async () => expect((await approvals.show(taskId)).decisions).toHaveLength(1), 10_000);
    const id = uniqueName('d');
    await store.decisions.submit({ id, taskId, runId: run.id, decision, door: 'test', leaseMs: 0 });
    await vi.waitFor(
      async () => {
        await deliverDecisions(bench.fermata);
        expect(await store.decisions.get(id)).toMatchObject({ answer: { counted: true, settled: 'approved' } });
      },
      { timeout: 20_000 },
    );
  });
});
