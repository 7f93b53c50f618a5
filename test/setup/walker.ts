/**
 * A worker of the bare interpreter for tests of the binding: real Temporal, no store. Records are kept in memory.
 */
import { readFileSync } from 'node:fs';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createCommandActivity } from '../../activities/command-activity.ts';
import { createRegistry, type Registrable } from '../../activities/registry.ts';
import type { RunRecord } from '../../definitions/records.ts';
import type { Definition } from '../../definitions/types.ts';
import { workflowBundlePath } from '../../workers/bundle.ts';
import type { WireStart } from '../../workflows/temporal/wire.ts';
import { connectTemporal, temporalAddress, temporalNamespace, uniqueName } from './temporal.ts';

export interface Walker {
  readonly client: Client;
  readonly taskQueue: string;
  /** Records by run id, in the order of the walk. */
  readonly records: Map<string, RunRecord[]>;
  start(definition: Definition, options?: Partial<WireStart>): Promise<WorkflowHandle>;
  stop(): Promise<void>;
}

export async function startWalker(commands: readonly Registrable[]): Promise<Walker> {
  const taskQueue = uniqueName('walker');
  const client = await connectTemporal();
  const connection = await NativeConnection.connect({ address: temporalAddress() });
  const records = new Map<string, RunRecord[]>();
  const activity = createCommandActivity({ registry: createRegistry([...commands]) });
  const worker = await Worker.create({
    connection,
    namespace: temporalNamespace(),
    taskQueue,
    workflowBundle: { code: readFileSync(await workflowBundlePath(), 'utf8') },
    activities: activity.activities,
    interceptors: { activity: [activity.interceptor] },
    sinks: {
      fermata: {
        records: {
          fn: ({ workflowId }, batch: readonly RunRecord[]) => {
            records.set(workflowId, [...(records.get(workflowId) ?? []), ...batch]);
          },
          callDuringReplay: false,
        },
      },
    },
  });
  const running = worker.run();
  return {
    client,
    taskQueue,
    records,
    start: (definition, options = {}) => {
      const id = `${definition.id}/${uniqueName('t')}`;
      const start: WireStart = {
        definition: {
          id: definition.id,
          version: 1,
          hash: JSON.stringify(definition),
          document: definition,
          handlers: {},
        },
        input: null,
        event: null,
        run: { id, tenant: 'default', initiator: { id: 'test', kind: 'user' }, entity: null },
        ...options,
      };
      return client.workflow.start(definition.id, { workflowId: id, taskQueue, args: [start] });
    },
    stop: async () => {
      worker.shutdown();
      await running;
      await connection.close();
      await client.connection.close();
    },
  };
}
