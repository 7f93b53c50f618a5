/** Case H14 (a), (c), (d), (e), (f): worker processes that are killed, hang, or are not deployed yet. Minutes are seconds. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { startWorkerProcess, type TestProcess } from '../setup/worker-process.ts';
import { waiting } from './conclude.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let worker: TestProcess;
beforeAll(async () => {
  stage = await openStage({ worker: false });
  worker = await deploy();
}, 120_000);
afterAll(async () => {
  await worker.kill();
  await stage.close();
});

const deploy = (env: { readonly [name: string]: string } = {}): Promise<TestProcess> =>
  startWorkerProcess({
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: stage.databaseUrl,
    FERMATA_TASK_QUEUE: stage.taskQueue,
    ...env,
  });

const action = (command: string, more: object = {}): Definition => ({
  id: 'h14',
  nodes: [{ id: 'work', type: 'action', config: { command, ...more } }],
});

/** The rows of a killed worker's runs are made exact by the next one's reconciler. */
const MENDED = { withinMs: 30_000 };

describe('H14', () => {
  test('(a) a worker killed between the work and its answer: the same key again, one row, and the run completes', async () => {
    const handle = await stage.start(action('done_but_silent', { timeout: '3s' }));
    await vi.waitFor(async () => expect(await stage.ledger.of(handle.workflowId)).toHaveLength(1), { timeout: 20_000 });
    await worker.kill();
    worker = await deploy();
    const { document } = await stage.conclude(handle, MENDED);
    expect(document).toMatchObject({ state: 'completed', output: { attempt: 2 }, commands: [{ attempts: 2 }] });
    expect(await stage.ledger.of(handle.workflowId)).toEqual([
      { key: `${handle.workflowId}/work/1`, name: 'done_but_silent', attempts: 2 },
    ]);
  });

  test('(d) if it never comes, a declared deadline ends the command with DEADLINE and names what was missing', async () => {
    const handle = await stage.start(action('new_cmd', { deadline: '2s' }));
    const { document } = await stage.conclude(handle, MENDED);
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'DEADLINE', nodeId: 'work', cause: { type: 'HANDLER_NOT_FOUND' } },
    });
    expect(document.error?.message).toContain('new_cmd');
  });

  test('(e) a handler that never returns ends with TIMEOUT after all its attempts', async () => {
    const retry = { maxAttempts: 3, initialInterval: '100ms' };
    const handle = await stage.start(action('hang', { timeout: '1s', retry }));
    const { document } = await stage.conclude(handle, MENDED);
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'TIMEOUT', nodeId: 'work' },
      commands: [{ attempts: 3, state: 'failed' }],
    });
    const tookMs = Date.parse(document.completedAt ?? '') - Date.parse(document.startedAt);
    expect(tookMs).toBeGreaterThanOrEqual(3 * 1000 + 100 + 200 - 60);
    expect(tookMs).toBeLessThan(8000);
  });

  test('(f) a run past its own limit says that the run timed out, and what it did is undone', async () => {
    const handle = await stage.start({
      id: 'h14',
      timeout: '2s',
      nodes: [
        {
          id: 'book',
          type: 'action',
          config: { command: 'ledger', payload: { name: 'book' }, undo: true },
          nextNodeId: 'work',
        },
        { id: 'work', type: 'action', config: { command: 'hang', timeout: '1h' } },
      ],
    });
    const { document } = await stage.conclude(handle, MENDED);
    expect(document).toMatchObject({ state: 'failed', error: { type: 'RUN_TIMEOUT', nodeId: 'work' } });
    expect(document.commands.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['book', 'rolled_back'],
      ['work', 'cancelled'],
      ['book', 'success'],
    ]);
    expect((await stage.ledger.of(handle.workflowId)).map(({ name }) => name)).toEqual(['book', 'undo book']);
  });

  test('(c) a run whose command no worker knows says so, and completes when the right worker comes', async () => {
    const handle = await stage.start(action('new_cmd'));
    const { waiting: waits } = await waiting(stage.store, handle.workflowId, 'work');
    expect(waits).toMatchObject([
      { kind: 'handler', until: null, for: 'a worker with a handler for the command new_cmd version 1' },
    ]);
    await worker.kill();
    worker = await deploy({ FERMATA_TEST_NEW_CMD: '1' });
    const { document } = await stage.conclude(handle, MENDED);
    expect(document).toMatchObject({ state: 'completed', output: { done: true }, waiting: [] });
    expect(document.commands.map(({ commandId, state }) => [commandId, state])).toEqual([
      [`${handle.workflowId}/work/1`, 'success'],
    ]);
  });
});
