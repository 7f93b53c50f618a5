/** W2: twenty trivial commands side by side and a join, as activities and as local activities. */
import { comparison, LIMIT } from './comparison.ts';
import { fanOut } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { cpuFindings, cpuOf, loadFindings, rateOf } from './load-findings.ts';
import { type Measured, measureAll, weightFindings } from './measured.ts';
import { byDefinition, byHand, definitionBytes } from './runs.ts';

const REGULAR = fanOut({ local: false });
const LOCAL = fanOut({ local: true });

export async function measureFanOut(ground: Ground): Promise<Finding[]> {
  const { client } = ground;
  const handPeer = await ground.peer('hand-written');
  const peer = await ground.peer('fermata');
  const [hand, fermata, handLocal, local] = (await measureAll(ground, [
    [handPeer, byHand(client, handPeer, 'fanOut')],
    [peer, byDefinition(client, peer, REGULAR)],
    [handPeer, byHand(client, handPeer, 'fanOutLocal')],
    [peer, byDefinition(client, peer, LOCAL)],
  ])) as [Measured, Measured, Measured, Measured];
  const name = 'hand-written';
  const compare = comparison({ workload: 'W2', name });
  const faster = comparison({ workload: 'W2 local', name: 'hand-written, regular' });
  const alike = comparison({ workload: 'W2 local', name: 'hand-written, local' });
  return [
    ...loadFindings('W2', { ours: fermata.rounds, base: hand.rounds, name }),
    compare('one at a time, p50 ms', fermata.singles, hand.singles, LIMIT.atMost(1.1)),
    ...weightFindings('W2', { ours: fermata.weight, base: hand.weight, definition: definitionBytes(REGULAR) }),
    faster('runs/s', rateOf(local.rounds), rateOf(hand.rounds), LIMIT.atLeast(2.8)),
    ...cpuFindings(faster, { ours: local.rounds, base: hand.rounds, limit: 0.33 }),
    alike('runs/s', rateOf(local.rounds), rateOf(handLocal.rounds)),
    alike('CPU of the worker, ms a run', cpuOf(local.rounds), cpuOf(handLocal.rounds)),
  ];
}
