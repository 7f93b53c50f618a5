/** Case H01: decision and deadline arrive together. Seconds of the case are tenths here. */
import type { WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { eventsWith, waiting } from './conclude.ts';
import { type Handle, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const step = (id: string) => ({ id, type: 'action', config: { command: 'ledger', payload: { name: id } } }) as const;
const definition: Definition = {
  id: 'h01',
  nodes: [
    {
      id: 'ask',
      type: 'approval',
      config: { title: 'Well?', outcomes: ['yes', 'no'], timeout: '3s' },
      transitions: { yes: 'yes', no: 'no', timeout: 'expired' },
    },
    { ...step('yes'), nextNodeId: 'done' },
    { ...step('no'), nextNodeId: 'done' },
    { ...step('expired'), nextNodeId: 'done' },
    { id: 'done', type: 'end' },
  ],
};
const yes = { nodeId: 'ask', outcome: 'yes', by: { id: 'ann' } };

async function started(): Promise<Handle> {
  const handle = await stage.start(definition);
  await waiting(stage.store, handle.workflowId, 'ask');
  return handle;
}

async function deadlinePassed(handle: Handle): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(eventsWith([await handle.fetchHistory()], 'timerFiredEventAttributes').length).toBeGreaterThan(0),
    { timeout: 20_000, interval: 50 },
  );
}

/** The one branch that was taken, the ledger's as well as the trace's. */
async function branchOf(handle: Handle, replays = 1): Promise<string> {
  const { document } = await stage.conclude(handle, { replays });
  const rows = await stage.ledger.of(handle.workflowId);
  expect(rows).toHaveLength(1);
  expect(document.trace.map(({ nodeId }) => nodeId)).toEqual(['ask', rows[0]?.name, 'done']);
  return rows[0]?.name ?? '';
}

async function auditOf(handle: Handle): Promise<readonly (string | null)[]> {
  const { decisions } = await stage.store.approvals.get(`${handle.workflowId}/ask/1`);
  return decisions.map(({ refusal }) => refusal?.code ?? null);
}

describe('H01', () => {
  test('(a) without an answer only the path of the deadline is taken, at the deadline', async () => {
    const handle = await started();
    expect(await branchOf(handle)).toBe('expired');
    const document = await stage.store.runs.document(handle.workflowId);
    const [ask] = document?.trace ?? [];
    const tookMs = Date.parse(ask?.finishedAt ?? '') - Date.parse(ask?.startedAt ?? '');
    expect(tookMs).toBeGreaterThanOrEqual(3000);
    expect(tookMs).toBeLessThan(5000);
  });

  test('(b) an answer in time takes its own path at once, and its timer is cancelled', async () => {
    const handle = await started();
    const answer = await handle.executeUpdate('decide', { args: [yes] });
    expect(answer).toMatchObject({ counted: true, settled: 'yes' });
    expect(await branchOf(handle)).toBe('yes');
    const histories = [await handle.fetchHistory()];
    expect(eventsWith(histories, 'timerCanceledEventAttributes')).toHaveLength(1);
    expect(eventsWith(histories, 'timerFiredEventAttributes')).toHaveLength(0);
    expect(await auditOf(handle)).toEqual([null]);
  });

  test('(c) an answer that comes before the deadline counts, though the worker is away until after it', async () => {
    const handle = await started();
    await stage.stopWorker();
    await handle.signal('decide', yes);
    await deadlinePassed(handle);
    await stage.startWorker();
    expect(await branchOf(handle, 10)).toBe('yes');
    expect(await auditOf(handle)).toEqual([null]);
  });

  test('(d) an answer that is there when the run handles its deadline counts, though it came after it', async () => {
    const handle = await started();
    await stage.stopWorker();
    await deadlinePassed(handle);
    await handle.signal('decide', yes);
    await stage.startWorker();
    expect(await branchOf(handle, 10)).toBe('yes');
    expect(await auditOf(handle)).toEqual([null]);
  });

  test('an answer after the deadline was handled is refused as too late, by update and in the audit of a signal', async () => {
    const late: Definition = {
      id: 'h01-late',
      nodes: [
        {
          id: 'ask',
          type: 'approval',
          config: { outcomes: ['yes', 'no'], timeout: '10ms' },
          transitions: { timeout: 'pause' },
        },
        { id: 'pause', type: 'approval', config: {}, nextNodeId: 'done' },
        { id: 'done', type: 'end' },
      ],
    };
    const handle = await stage.start(late);
    await waiting(stage.store, handle.workflowId, 'pause');
    const refused = await handle.executeUpdate('decide', { args: [yes] }).catch((error: unknown) => error);
    expect((refused as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'too_late' });
    await handle.signal('decide', yes);
    await stage.conclude(handle, { waitingAt: 'pause' });
    await handle.signal('decide', { nodeId: 'pause', outcome: 'approved', by: { id: 'ann' } });
    const { records } = await stage.conclude(handle);
    const decisions = records.filter((record) => record.kind === 'decision');
    expect(decisions.map(({ nodeId, refusal }) => [nodeId, refusal?.code ?? null])).toEqual([
      ['ask', 'too_late'],
      ['pause', null],
    ]);
    expect(await auditOf(handle)).toEqual(['too_late']);
  });
});
