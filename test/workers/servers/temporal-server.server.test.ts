import { tsToMs } from '@temporalio/common/lib/time.js';
import { expect, test } from 'vitest';
import { waitUntil } from '../../../workers/servers/wait-until.ts';
import { connectTemporal, temporalNamespace, uniqueName } from '../../setup/temporal.ts';

/** Times are the server's own, so a busy test machine adds little: a stock server is late by almost a second. */
test('timers of under a second are on time on a tuned server', async () => {
  const { connection, workflow } = await connectTemporal();
  const timeoutMs = 200;
  const lateness = async () => {
    const workflowId = uniqueName('short');
    const handle = await workflow.start('unattended', {
      workflowId,
      taskQueue: 'nobody',
      workflowRunTimeout: timeoutMs,
    });
    const ended = await waitUntil(
      async () => {
        const { raw, status } = await handle.describe();
        return status.name === 'TIMED_OUT' ? raw.workflowExecutionInfo : null;
      },
      { timeoutMs: 10_000 },
    );
    return tsToMs(ended?.closeTime) - tsToMs(ended?.startTime) - timeoutMs;
  };
  const measured = [await lateness(), await lateness(), await lateness()];
  expect(Math.min(...measured)).toBeGreaterThanOrEqual(0);
  expect(Math.min(...measured)).toBeLessThan(300);
  await connection.close();
});

test('a task queue has one partition on a tuned server', async () => {
  const { connection } = await connectTemporal();
  const answer = await connection.workflowService.listTaskQueuePartitions({
    namespace: temporalNamespace(),
    taskQueue: { name: uniqueName('queue') },
  });
  expect(answer.workflowTaskQueuePartitions).toHaveLength(1);
  await connection.close();
});
