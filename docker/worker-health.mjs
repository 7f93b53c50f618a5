/**
 * Health of the worker in this container: exit 0 when Temporal has seen it ask for work within the last two minutes,
 * 1 with the reason otherwise. Plain JavaScript, so that a check costs no compilation.
 *
 * A worker says who it is as `<pid>@<host name>`, and the host name is the container's own.
 */
import { hostname } from 'node:os';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** A poll lasts up to 70 s, and is counted when it begins. */
const FRESH_MS = 120_000;
const WORKFLOW_TASKS = 1;

const taskQueue = process.env.FERMATA_TASK_QUEUE || 'fermata';
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();

/** @returns {Promise<string | null>} null when healthy, otherwise why not */
async function check() {
  const connection = await Connection.connect({ ...connectionOptions, connectTimeout: '5s' });
  try {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_TASKS,
    });
    const mine = pollers?.find(({ identity }) => identity?.endsWith(`@${hostname()}`));
    if (!mine) return `no worker of ${hostname()} polls task queue ${taskQueue} in namespace ${namespace}`;
    const ageMs = Date.now() - Number(mine.lastAccessTime?.seconds ?? 0) * 1000;
    return ageMs < FRESH_MS ? null : `the worker of ${hostname()} polled last ${Math.round(ageMs / 1000)} s ago`;
  } finally {
    await connection.close();
  }
}

const reason = await check().catch((/** @type {unknown} */ error) => String(error));
if (reason !== null) {
  console.error(reason);
  process.exitCode = 1;
}
