/**
 * Where a case is played: a worker on a real Temporal server, a database of its own, a ledger.
 *
 * What it is: production's worker and client; most runs are started straight through Temporal, so that a case can set
 * what the client would not.
 *
 * 1. Every case ends with {@link Stage.conclude}, which holds the run against its own history and its rows.
 */
import { readFile } from 'node:fs/promises';
import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Registrable } from '../../activities/index.ts';
import { connect, type Fermata } from '../../client/index.ts';
import type { Definition } from '../../definitions/types.ts';
import type { Store } from '../../store/index.ts';
import { workflowBundlePath } from '../../workers/bundle.ts';
import { createWorker, type WorkerOptions, type WorkerTuning } from '../../workers/index.ts';
import { openReplayer } from '../../workers/replayer.ts';
import type { WireStart } from '../../workflows/temporal/wire.ts';
import type { PlayedRun } from '../integration/play.ts';
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
  readonly fermata: Fermata;
  readonly store: Store;
  readonly ledger: Ledger;
  start(definition: Definition, options?: Partial<WireStart>): Promise<Handle>;
  /** The checks that every case ends with; gives the run's story. */
  conclude(handle: PlayedRun, options?: ConclusionOptions): Promise<Conclusion>;
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
  readonly tuning?: WorkerTuning;
  /** Default: the worker's own. */
  readonly values?: WorkerOptions['values'];
  /** Without one, runs are played by workers from elsewhere. */
  readonly worker?: boolean;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { address, namespace } = options.temporal ?? { address: temporalAddress(), namespace: temporalNamespace() };
  const database = await createTestDatabase();
  const ledger = await openLedger(database.url);
  const taskQueue = uniqueName('case');
  const connection = await Connection.connect({
    address,
    // Histories of runs that roll over late are larger than gRPC's default of 4 MiB.
    channelArgs: { 'grpc.max_receive_message_length': 64 * 1024 * 1024 },
  });
  const client = new Client({ connection, namespace });
  const fermata = await connect({ temporal: { client }, databaseUrl: database.url, taskQueue });
  const { store } = fermata;
  const replayer = openReplayer(await readFile(await workflowBundlePath(), 'utf8'));
  const commands = [...STUBS, ledgerCommand(ledger), ...(options.commands ?? [])];
  const begin = (): Promise<() => Promise<void>> =>
    startStageWorker({
      commands,
      taskQueue,
      databaseUrl: database.url,
      temporal: { address, namespace },
      ...(options.tuning === undefined ? {} : { tuning: options.tuning }),
      ...(options.values === undefined ? {} : { values: options.values }),
    });
  let worker = options.worker === false ? null : await begin();
  const stopWorker = async (): Promise<void> => {
    await worker?.();
    worker = null;
  };
  return {
    client,
    taskQueue,
    databaseUrl: database.url,
    fermata,
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
      await fermata.close();
      await connection.close();
      await ledger.close();
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

/** Gives how to stop it. */
async function startStageWorker(options: WorkerOptions): Promise<() => Promise<void>> {
  const worker = await createWorker({ ...options, shutdownGraceMs: 0 });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}
