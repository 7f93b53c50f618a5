/** One at a time with what we ship, against hand-written code on a stock server with the SDK's own worker options. */
import { Client, Connection } from '@temporalio/client';
import { comparison, LIMIT } from './comparison.ts';
import { sequence } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { type Contestant, oneAtATime } from './load.ts';
import { byDefinition, byHand, timeRun } from './runs.ts';
import { startStockServer } from './stock-server.ts';

export async function measureShipped(ground: Ground): Promise<Finding[]> {
  const { options, client } = ground;
  const stock = await startStockServer(options.log);
  const connection = await Connection.connect({ address: stock.address });
  const { address, namespace } = stock;
  const hand = await ground.startPeer('hand-written', { address, namespace, tuning: 'stock' });
  try {
    const fermata = await ground.peer('fermata');
    const start = byHand(new Client({ connection, namespace }), hand, 'sequence');
    const ours = byDefinition(client, fermata, sequence({ local: false }));
    const contestants: Contestant[] = [
      { peer: hand, run: () => timeRun(start) },
      { peer: fermata, run: () => timeRun(ours) },
    ];
    // The stock server's first twenty loads of a queue are free of its tick.
    const [base = [], times = []] = await oneAtATime(contestants, Math.max(20, options.singles));
    const compare = comparison({ workload: 'W1 as shipped', name: 'hand-written, stock server' });
    return [compare('one at a time, p50 ms', times, base, LIMIT.atMost(0.38))];
  } finally {
    await hand.stop();
    await connection.close();
    await stock.stop();
  }
}
