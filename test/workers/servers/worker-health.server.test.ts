import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../../workers/servers/run-program.ts';
import { waitUntil } from '../../../workers/servers/wait-until.ts';
import { connectTemporal, temporalAddress, temporalNamespace, uniqueName } from '../../setup/temporal.ts';

const script = fileURLToPath(new URL('../../../docker/worker-health.mjs', import.meta.url));

function check(taskQueue: string, address = temporalAddress()) {
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: temporalNamespace(),
    FERMATA_TASK_QUEUE: taskQueue,
  };
  return runProgram(process.execPath, [script], { env });
}

test('a container whose worker asks for work is healthy', async () => {
  const taskQueue = uniqueName('queue');
  const { connection } = await connectTemporal();
  const gone = new AbortController();
  const poll = connection
    .withAbortSignal(gone.signal, () =>
      connection.withDeadline(Date.now() + 60_000, () =>
        connection.workflowService.pollWorkflowTaskQueue({
          namespace: temporalNamespace(),
          taskQueue: { name: taskQueue },
          identity: `1@${hostname()}`,
        }),
      ),
    )
    .catch(() => null);
  onTestFinished(async () => {
    gone.abort();
    await poll;
    await connection.close();
  });
  let last = '';
  const healthy = await waitUntil(
    async () => {
      const { code, stderr } = await check(taskQueue);
      last = stderr;
      return code === 0 ? true : null;
    },
    { timeoutMs: 20_000 },
  );
  expect({ healthy, last }).toEqual({ healthy: true, last: '' });
});

test('a container whose worker does not ask is not healthy, and says so', async () => {
  const result = await check(uniqueName('queue'));
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(`no worker of ${hostname()} polls task queue`);
});

test('a container that cannot reach Temporal is not healthy', async () => {
  const result = await check('any', '127.0.0.1:1');
  expect(result.code).toBe(1);
  expect(result.stderr).not.toBe('');
});
