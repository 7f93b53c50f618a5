/**
 * Records the histories that `test/replay` keeps of this release: every sample of `test/integration/samples.ts`, with the
 * fresh histories into which it goes over and the runs that it begins. Run it once per release, and after a change that is
 * meant to differ:
 *
 *     node --conditions=fermata-source --import tsx scripts/record-histories.ts
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { connect } from '../client/index.ts';
import { mockCommands, play } from '../test/integration/play.ts';
import { SAMPLES } from '../test/integration/samples.ts';
import { createWorker, startServers } from '../workers/index.ts';
import { fetchRunHistories, type History } from '../workers/run-history.ts';

/** What a history says of the machine that recorded it says nothing of the run. */
const withoutMachine = (key: string, value: unknown): unknown => {
  if (key === 'stackTrace') return '';
  return typeof value === 'string' && /^\d+@\S+$/.test(value) ? 'recorder' : value;
};

/** Runs that a history began. */
function startedChildren({ events }: History): { readonly workflowId: string; readonly runId: string }[] {
  return (events ?? []).flatMap((event) => {
    const { workflowId, runId } = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution ?? {};
    return workflowId && runId ? [{ workflowId, runId }] : [];
  });
}

async function awaitEnd(workflowId: string): Promise<void> {
  await fermata.temporal.workflow
    .getHandle(workflowId)
    .result()
    .catch(() => undefined);
}

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const folder = new URL(`../test/replay/${version}/`, import.meta.url);
const servers = await startServers({
  projectDir: process.cwd(),
  env: process.env,
  log: (line) => console.error(line),
  temporal: 'own',
  postgres: 'own',
  persistent: false,
});
const { address, namespace } = servers.temporal;
const options = { temporal: { address, namespace }, databaseUrl: servers.postgres.url, taskQueue: 'record' };
const fermata = await connect({ ...options, migrate: true });
const worker = await createWorker({ ...options, commands: mockCommands(Object.values(SAMPLES)) });
const running = worker.run();
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const { workflowId, firstExecutionRunId } = await play(sample, 'recorded', {
      client: fermata.temporal,
      taskQueue: 'record',
      fermata,
    });
    const histories = await fetchRunHistories(fermata.temporal, workflowId, firstExecutionRunId);
    for (const child of histories.flatMap(startedChildren)) {
      await awaitEnd(child.workflowId);
      histories.push(...(await fetchRunHistories(fermata.temporal, child.workflowId, child.runId)));
    }
    for (const [index, history] of histories.entries()) {
      const file = new URL(`${name}${index === 0 ? '' : `.${index + 1}`}.history.json`, folder);
      await writeFile(file, `${JSON.stringify(JSON.parse(historyToJSON(history), withoutMachine), null, 1)}\n`);
    }
    console.error(`${name}: ${histories.length}`);
  }
} finally {
  worker.shutdown();
  await running;
  await fermata.close();
  await servers.stop();
}
