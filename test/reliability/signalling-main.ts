/**
 * Publishes one event in a process of its own, which stores it and comes no further than the first run that it would
 * tell, until it is killed. Says `a run waits to be told` there.
 */
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { connect } from '../../client/index.ts';
import type { NewEvent } from '../../client/read-event.ts';

const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] as string });
const stopBeforeSignals: WorkflowClientInterceptor = {
  signal() {
    process.stdout.write('a run waits to be told\n');
    return new Promise(() => undefined);
  },
};
const client = new Client({
  connection,
  namespace: process.env['TEMPORAL_NAMESPACE'] as string,
  interceptors: { workflow: [stopBeforeSignals] },
});
const fermata = await connect({ temporal: { client } });
await fermata.events.publish(JSON.parse(process.env['FERMATA_TEST_EVENT'] as string) as NewEvent);
