/** Check 25, what needs a process: a handler that blocks the event loop, or exits. The rest is in `test/activities`. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openStage, type Stage } from '../cases/stage.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { startWorkerProcess, type TestProcess } from '../setup/worker-process.ts';

let stage: Stage;
let worker: TestProcess;
const deploy = (): Promise<TestProcess> =>
  startWorkerProcess({
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: stage.databaseUrl,
    FERMATA_TASK_QUEUE: stage.taskQueue,
  });
beforeAll(async () => {
  stage = await openStage({ worker: false });
});
afterEach(() => worker.kill());
afterAll(() => stage.close());

const start = (command: string, config: object) =>
  stage.start({ id: command, nodes: [{ id: 'work', type: 'action', config: { command, timeout: '1s', ...config } }] });

// A process that is blocked still takes attempts: its native half polls on. They are lost until the block is over.
test('a handler that blocks the event loop past its limit is tried again, by the same process', async () => {
  worker = await deploy();
  const retry = { maxAttempts: 20, initialInterval: '1s', backoffCoefficient: 1 };
  const handle = await start('blocks', { payload: { forMs: 4_000 }, retry });
  const { document } = await stage.conclude(handle, { withinMs: 30_000 });
  expect(document).toMatchObject({ state: 'completed' });
  expect(document.commands[0]?.attempts).toBeGreaterThan(1);
  expect(await stage.ledger.of(handle.workflowId)).toHaveLength(1);
});

test('a handler that exits the process is tried again by the next one, under the same key', async () => {
  worker = await deploy();
  const handle = await start('exits', { retry: { maxAttempts: 20, initialInterval: '1s', backoffCoefficient: 1 } });
  expect(await worker.exited).toBe(7);
  worker = await deploy();
  const { document } = await stage.conclude(handle, { withinMs: 30_000 });
  expect(document).toMatchObject({ state: 'completed', output: { attempt: 2 } });
  await vi.waitFor(async () => expect(await stage.ledger.of(handle.workflowId)).toMatchObject([{ attempts: 2 }]));
});
