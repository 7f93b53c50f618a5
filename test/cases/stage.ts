/**
 * Where a case is played: a worker on a real Temporal server, a database of its own, a ledger.
 *
 * What it is: production's interpreter, command activity, projection and store; runs are started straight through
 * Temporal, so that a case can set what the client would not.
 *
 * 1. Every case ends with {@link Stage.conclude}, which holds the run against its own history and its rows.
 */
import { readFileSync } from 'node:fs';
import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createCommandActivity, createRegistry, type Registrable } from '../../activities/index.ts';
import type { Definition } from '../../definitions/types.ts';
import { openStore, type Store } from '../../store/index.ts';
import { workflowBundlePath } from '../../workers/bundle.ts';
import { Projection } from '../../workers/projection.ts';
import { openReplayer } from '../../workers/replayer.ts';
import type { WireStart } from '../../workflows/temporal/wire.ts';
import { createTestDatabase } from '../setup/database.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { ledgerCommand, STUBS } from './commands.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { conclude, type Conclusion, type ConclusionOptions } from './conclude.ts';

// What a failing command does is the case itself; only what nobody expects is worth a line.
Runtime.install({ logger: new DefaultLogger('ERROR') });

export type Handle = WorkflowHandleWithFirstExecutionRunId;

export interface Stage {
  readonly client: Client;
  readonly taskQueue: string;
  readonly databaseUrl: string;
  readonly store: Store;
  readonly ledger: Ledger;
  start(definition: Definition, options?: Partial<WireStart>): Promise<Handle>;
  /** The checks that every case ends with; gives the run's story. */
  conclude(handle: Handle, options?: ConclusionOptions): Promise<Conclusion>;
  /** As a deploy does: what is under way ends first. */
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** Beside the stubs and `ledger`. */
  readonly commands?: readonly Registrable[];
  /** Default: the server that the test run started. */
  readonly temporal?: { readonly address: string; readonly namespace: string };
  /** Without one, runs are played by workers from elsewhere. */
  readonly worker?: boolean;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { address, namespace } = options.temporal ?? { address: temporalAddress(), namespace: temporalNamespace() };
  const database = await createTestDatabase();
  const store = openStore({ databaseUrl: database.url });
  const ledger = await openLedger(database.url);
  const taskQueue = uniqueName('case');
  const connection = await Connection.connect({
    address,
    // Histories of runs that roll over late are larger than gRPC's default of 4 MiB.
    channelArgs: { 'grpc.max_receive_message_length': 64 * 1024 * 1024 },
  });
  const client = new Client({ connection, namespace });
  const bundleCode = readFileSync(await workflowBundlePath(), 'utf8');
  const replayer = openReplayer(bundleCode);
  const commands = [...STUBS, ledgerCommand(ledger), ...(options.commands ?? [])];
  const begin = (): Promise<StageWorker> =>
    startStageWorker({ address, namespace, taskQueue, store, bundleCode, commands });
  let worker = options.worker === false ? null : await begin();
  const stopWorker = async (): Promise<void> => {
    await worker?.stop();
    worker = null;
  };
  return {
    client,
    taskQueue,
    databaseUrl: database.url,
    store,
    ledger,
    start: (definition, start = {}) => {
      const runId = start.run?.id ?? `${definition.id}/${uniqueName('case')}`;
      return client.workflow.start(definition.id, {
        workflowId: runId,
        taskQueue,
        args: [wireStart(definition, runId, start)],
      });
    },
    conclude: (handle, how = {}) => conclude({ client, store, replayer }, handle, how),
    stopWorker,
    async startWorker() {
      worker ??= await begin();
    },
    async close() {
      await stopWorker();
      await replayer.close();
      await connection.close();
      await ledger.close();
      await store.close();
      await database.drop();
    },
  };
}

function wireStart(definition: Definition, id: string, options: Partial<WireStart>): WireStart {
  const hash = JSON.stringify(definition);
  return {
    definition: { id: definition.id, version: 1, hash, document: definition, handlers: {} },
    input: null,
    event: null,
    run: { id, tenant: 'default', initiator: { id: 'test', kind: 'user' }, entity: null },
    ...options,
  };
}

interface StageWorker {
  stop(): Promise<void>;
}

async function startStageWorker(parts: {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly store: Store;
  readonly bundleCode: string;
  readonly commands: readonly Registrable[];
}): Promise<StageWorker> {
  const connection = await NativeConnection.connect({ address: parts.address });
  const projection = new Projection(parts.store.records, console);
  const activity = createCommandActivity({
    registry: createRegistry(parts.commands),
    onAttempt: projection.onAttempt,
  });
  const worker = await Worker.create({
    connection,
    namespace: parts.namespace,
    taskQueue: parts.taskQueue,
    workflowBundle: { code: parts.bundleCode },
    activities: activity.activities,
    interceptors: { activity: [activity.interceptor] },
    sinks: projection.sinks,
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
      await projection.drain();
      await connection.close();
    },
  };
}
