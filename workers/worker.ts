/**
 * A worker: walks runs and calls handlers. The composition root of production.
 *
 * Invariants:
 * 1. Everything it is made of comes from options or the environment; nothing assumes that it is the only one.
 * 2. Its end drains: attempts under way get `shutdownGrace`, records on their way are written.
 */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions as TemporalWorkerOptions } from '@temporalio/worker';
import {
  createCommandActivity,
  createManifest,
  createRegistry,
  defaultSecrets,
  type Registrable,
  type Registry,
  type SecretSource,
} from '../activities/index.ts';
import {
  connect,
  type ConnectOptions,
  deliverDecisions,
  type Fermata,
  resolveSettings,
  type Settings,
  sweepEvents,
  sweepKeys,
} from '../client/index.ts';
import { FermataError, isFermataError } from '../definitions/index.ts';
import { type Background, type BackgroundTask, startBackground } from './background.ts';
import { workflowBundlePath } from './bundle.ts';
import { runtimeLog, type WorkerLog } from './log.ts';
import { KEYS_CHANNEL } from '../store/index.ts';
import type { NotifyHook } from './notify.ts';
import { Projection } from './projection.ts';
import { reconcile } from './reconciler.ts';
import { runActivities } from './run-activities.ts';
import { registerSearchAttributes } from './servers/register-search-attributes.ts';
import { type StoryListener, withStory } from './story.ts';

export interface WorkerOptions extends ConnectOptions {
  /** What `defineCommand` and `adaptHandler` made. */
  readonly commands: readonly Registrable[];
  /** Where `{ "$secret": … }` is looked up. Default: environment, then files (`activities/secrets`). */
  readonly secrets?: readonly SecretSource[];
  /** How long attempts under way may go on after a shutdown was asked for. Default 10 s. */
  readonly shutdownGraceMs?: number;
  /** Options of Temporal's worker, over our defaults. */
  readonly tuning?: WorkerTuning;
  /** Pause between two looks for unfinished events and decisions, and incomplete records. Default 5 s. */
  readonly sweepEveryMs?: number;
  /** Tells people of approvals; see {@link NotifyHook}. Default: nobody is told. */
  readonly notify?: NotifyHook;
  /** Hears what runs do in this worker, for a log: where they begin and end, and attempts that failed. */
  readonly onStory?: StoryListener;
}

export type WorkerTuning = Pick<
  TemporalWorkerOptions,
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxConcurrentLocalActivityExecutions'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxConcurrentActivityTaskPolls'
  | 'maxConcurrentWorkflowTaskPolls'
  | 'maxEagerActivityReservationsPerWorkflowTask'
  | 'stickyQueueScheduleToStartTimeout'
  | 'maxCachedWorkflows'
  | 'maxActivitiesPerSecond'
>;

/**
 * What the measurements of `docs/performance.md` chose: eager activities beyond the SDK's three, and a short sticky
 * timeout, since it is what an approval waits for when the worker that held its run was killed.
 */
const TUNING: WorkerTuning = {
  maxEagerActivityReservationsPerWorkflowTask: 20,
  stickyQueueScheduleToStartTimeout: '5s',
};

/** Default pause between two turns of the background work. */
const SWEEP_EVERY_MS = 5_000;

/** Runs that are no more are rare. */
const SWEEP_VALUES_EVERY_MS = 3600_000;

export interface FermataWorker {
  readonly taskQueue: string;
  /** Works until `shutdown()`; rejects when Temporal refuses the worker for good. */
  run(): Promise<void>;
  /** Asks it to end; `run()` resolves when it has. */
  shutdown(): void;
}

/**
 * Makes a worker that is ready to run. Brings the database to the tables of this release and registers the search
 * attributes, where that is not done yet; safe from several workers at once.
 * @throws FermataError `handler.invalid`, `config.invalid`, `temporal.unavailable`, `store.unavailable`, `store.invalid`
 */
export async function createWorker(options: WorkerOptions): Promise<FermataWorker> {
  const registry = createRegistry(options.commands);
  const settings = resolveSettings(options);
  const connection = await connectNative(settings.temporal);
  const client = new Client({ connection, namespace: settings.temporal.namespace });
  let fermata: Fermata | null = null;
  try {
    const log = runtimeLog();
    await registerAttributes(connection, settings.temporal.namespace, log);
    fermata = await connect({ ...options, temporal: { client }, migrate: true });
    await reportHandlers(fermata, registry);
    const projection = new Projection(fermata.store.records, log);
    const bundleCode = await readFile(await workflowBundlePath(), 'utf8');
    const worker = await createTemporalWorker({ fermata, registry, projection, bundleCode, connection, options });
    const tasks = tasksOf({ fermata, bundleCode, log, everyMs: options.sweepEveryMs ?? SWEEP_EVERY_MS });
    return assemble({ fermata, worker, connection, projection, log, tasks });
  } catch (error) {
    await fermata?.close();
    await connection.close();
    throw error;
  }
}

interface Assembly {
  readonly fermata: Fermata;
  readonly worker: Worker;
  readonly connection: NativeConnection;
  readonly projection: Projection;
  readonly log: WorkerLog;
  readonly tasks: readonly BackgroundTask[];
}

function assemble({ fermata, worker, connection, projection, log, tasks }: Assembly): FermataWorker {
  let asked = false;
  return {
    taskQueue: fermata.settings.taskQueue,
    async run() {
      const background: Background = startBackground(tasks, log);
      try {
        const working = worker.run();
        if (asked) worker.shutdown();
        await working;
      } finally {
        await background.stop();
        await projection.drain();
        await connection.close();
        await fermata.close();
      }
    },
    shutdown() {
      asked = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

async function createTemporalWorker(parts: {
  readonly fermata: Fermata;
  readonly registry: Registry;
  readonly projection: Projection;
  readonly bundleCode: string;
  readonly connection: NativeConnection;
  readonly options: WorkerOptions;
}): Promise<Worker> {
  const { fermata, registry, projection, options } = parts;
  const { values } = fermata.settings;
  const reports = options.onStory === undefined ? projection : withStory(projection, options.onStory);
  const activity = createCommandActivity({
    registry,
    secrets: options.secrets ?? defaultSecrets(process.env),
    values: values && { ...values, store: values.store ?? fermata.store.values },
    onAttempt: reports.onAttempt,
  });
  const made: { worker?: Worker } = {};
  const isLeaving = (): boolean => made.worker !== undefined && made.worker.getState() !== 'RUNNING';
  made.worker = await Worker.create({
    connection: parts.connection,
    namespace: fermata.settings.temporal.namespace,
    taskQueue: fermata.settings.taskQueue,
    workflowBundle: { code: parts.bundleCode },
    activities: { ...activity.activities, ...runActivities(fermata, { notify: options.notify, isLeaving }) },
    interceptors: { activity: [activity.interceptor] },
    sinks: reports.sinks,
    shutdownGraceTime: options.shutdownGraceMs ?? 10_000,
    ...TUNING,
    ...options.tuning,
  });
  return made.worker;
}

/** The worker's own connection; its client shares it, so that a start in this process can begin eagerly. */
async function connectNative({ address, connection }: Settings['temporal']): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect({ ...connection, address });
  } catch (error) {
    const message = `the Temporal server at ${address} cannot be reached; start it, or set TEMPORAL_ADDRESS`;
    throw new FermataError('temporal.unavailable', message, { address }, { cause: error });
  }
}

/** Where Temporal does not let us look (Cloud), an administrator has added them, or the first start says what is missing. */
async function registerAttributes(connection: NativeConnection, namespace: string, log: WorkerLog): Promise<void> {
  try {
    await registerSearchAttributes(connection, namespace);
  } catch (error) {
    if (!isFermataError(error) || error.code !== 'temporal.rejected') throw error;
    log.warn(error.message);
  }
}

/** Tells the store what this worker's handlers are, so that publishing can check and stamp definitions. */
async function reportHandlers(fermata: Fermata, registry: Registry): Promise<void> {
  const handlers = Object.entries(createManifest(registry)).flatMap(([type, versions]) =>
    Object.entries(versions).map(([version, entry]) => ({ type, version: Number(version), entry })),
  );
  await fermata.store.handlers.report(`${process.pid}@${hostname()}`, handlers);
}

/** What every worker does beside its runs; several workers share the work by leases. */
function tasksOf(parts: { fermata: Fermata; bundleCode: string; log: WorkerLog; everyMs: number }): BackgroundTask[] {
  const { fermata, bundleCode, log, everyMs } = parts;
  const { store, temporal: client } = fermata;
  return [
    { name: 'unfinished events', everyMs, run: () => sweepEvents(fermata) },
    {
      name: 'keys of runs',
      everyMs,
      run: () => sweepKeys(fermata),
      listen: (wake) => store.listen(KEYS_CHANNEL, wake, { onConnect: wake }),
    },
    { name: 'values of runs that are no more', everyMs: SWEEP_VALUES_EVERY_MS, run: () => store.sweepValues() },
    { name: 'stored decisions', everyMs, run: () => deliverDecisions(fermata) },
    { name: 'incomplete records', everyMs, run: () => reconcile({ store, client, bundleCode, log }) },
  ];
}
