/**
 * Publishes one event, in a process that is killed when it has started the first run and before the second.
 *
 * `FERMATA_TEST_EVENT` is the event as JSON. Says `dying` just before its end.
 */
import { Client, Connection, type WorkflowClientInterceptor, type WorkflowStartOutput } from '@temporalio/client';
import { connect } from '../../client/index.ts';
import type { NewEvent } from '../../client/read-event.ts';

let first: Promise<WorkflowStartOutput> | null = null;
const dieAtTheSecondStart: WorkflowClientInterceptor = {
  async startWithDetails(input, next) {
    if (first === null) {
      first = next(input);
      return await first;
    }
    await first;
    process.stdout.write('dying\n', () => process.kill(process.pid, 'SIGKILL'));
    return await new Promise(() => undefined);
  },
};

const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] as string });
const client = new Client({
  connection,
  namespace: process.env['TEMPORAL_NAMESPACE'] as string,
  interceptors: { workflow: [dieAtTheSecondStart] },
});
const fermata = await connect({ temporal: { client } });
await fermata.events.publish(JSON.parse(process.env['FERMATA_TEST_EVENT'] as string) as NewEvent);
