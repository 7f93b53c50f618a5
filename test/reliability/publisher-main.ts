/**
 * Publishes one event in a process of its own, which comes as far as its first start and no further, until it is killed.
 * Says `one run has started` there.
 */
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { connect } from '../../client/index.ts';

const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] as string });
let starts = 0;
const stopAfterTheFirst: WorkflowClientInterceptor = {
  async startWithDetails(input, next) {
    starts += 1;
    if (starts > 1) return new Promise(() => undefined);
    await next(input);
    process.stdout.write('one run has started\n');
    return new Promise(() => undefined);
  },
};
const client = new Client({
  connection,
  namespace: process.env['TEMPORAL_NAMESPACE'] as string,
  interceptors: { workflow: [stopAfterTheFirst] },
});
const fermata = await connect({ temporal: { client } });
await fermata.events.publish({
  id: process.env['FERMATA_TEST_EVENT'] as string,
  type: 'order.placed',
  source: '/shop',
  data: {},
});
