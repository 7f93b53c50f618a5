/**
 * One worker in a process of its own, so that its CPU time can be told from everybody else's. Started by `peer.ts` with
 * its settings as JSON.
 */
import { readFileSync } from 'node:fs';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { z } from 'zod';
import { createCommandActivity, createRegistry, defineCommand } from '../activities/index.ts';
import { openStore } from '../store/index.ts';
import { runtimeLog } from '../workers/log.ts';
import { Projection } from '../workers/projection.ts';
import type { Answer, PeerSettings, Request } from './peer-settings.ts';

/** What `workers/worker.ts` sets; both sides of a comparison get it. */
const SHIPPED_TUNING = {
  maxEagerActivityReservationsPerWorkflowTask: 20,
  stickyQueueScheduleToStartTimeout: '5s',
} as const;

const touch = defineCommand({
  type: 'touch',
  input: z.object({ order: z.string(), step: z.number() }),
  output: z.object({ step: z.number() }),
  execute: ({ step }) => ({ step }),
});

interface Role {
  readonly options: Pick<WorkerOptions, 'activities' | 'interceptors' | 'sinks'>;
  /** Waits for what is still on its way. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const idle = async (): Promise<void> => {};

function roleOf(settings: PeerSettings): Role {
  switch (settings.kind) {
    case 'hand-written':
      return {
        options: { activities: { touch: async ({ step }: { readonly step: number }) => ({ step }) } },
        drain: idle,
        close: idle,
      };
    case 'fermata':
      return tracked(settings);
    case 'fermata-untracked':
      return {
        options: { ...commandActivity(), sinks: { fermata: { records: { fn: () => {} } } } },
        drain: idle,
        close: idle,
      };
  }
}

function tracked({ databaseUrl }: PeerSettings): Role {
  const store = openStore({ databaseUrl });
  const projection = new Projection(store.records, runtimeLog());
  return {
    options: { ...commandActivity(projection), sinks: projection.sinks },
    drain: () => projection.drain(),
    close: () => store.close(),
  };
}

function commandActivity(projection?: Projection): Pick<WorkerOptions, 'activities' | 'interceptors'> {
  const activity = createCommandActivity({
    registry: createRegistry([touch]),
    ...(projection ? { onAttempt: projection.onAttempt } : {}),
  });
  return { activities: activity.activities, interceptors: { activity: [activity.interceptor] } };
}

async function main(settings: PeerSettings): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const role = roleOf(settings);
  const { address, namespace, taskQueue, bundle, tuning } = settings;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { code: readFileSync(bundle, 'utf8') },
    ...(tuning === 'shipped' ? SHIPPED_TUNING : {}),
    ...role.options,
  });
  process.on('message', (request: Request) => void answer(request, { role, worker }));
  process.once('disconnect', () => stop(worker));
  const running = worker.run();
  say({ kind: 'ready' });
  await running;
  await role.drain();
  await role.close();
  await connection.close();
  process.disconnect?.();
}

async function answer(request: Request, { role, worker }: { role: Role; worker: Worker }): Promise<void> {
  if (request === 'stop') return stop(worker);
  await role.drain();
  const { user, system } = process.cpuUsage();
  say({ kind: 'cpu', ms: (user + system) / 1000 });
}

function stop(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown();
}

function say(message: Answer): void {
  process.send?.(message);
}

await main(JSON.parse(process.argv[2] ?? '') as PeerSettings);
