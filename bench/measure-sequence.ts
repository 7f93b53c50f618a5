/** W1: ten trivial commands in sequence, as activities and as local activities. */
import { comparison, LIMIT } from './comparison.ts';
import { sequence } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { cpuFindings, cpuOf, loadFindings, rateOf } from './load-findings.ts';
import { type Measured, measureAll, weightFindings } from './measured.ts';
import { byDefinition, byHand, definitionBytes } from './runs.ts';

const REGULAR = sequence({ local: false });
const LOCAL = sequence({ local: true });

interface Results {
  readonly hand: Measured;
  readonly fermata: Measured;
  readonly untracked: Measured;
  readonly handLocal: Measured;
  readonly local: Measured;
}

export async function measureSequence(ground: Ground): Promise<Finding[]> {
  const { client } = ground;
  const handPeer = await ground.peer('hand-written');
  const peer = await ground.peer('fermata');
  const untrackedPeer = await ground.peer('fermata-untracked');
  const [hand, fermata, untracked, handLocal, local] = (await measureAll(ground, [
    [handPeer, byHand(client, handPeer, 'sequence')],
    [peer, byDefinition(client, peer, REGULAR)],
    [untrackedPeer, byDefinition(client, untrackedPeer, REGULAR)],
    [handPeer, byHand(client, handPeer, 'sequenceLocal')],
    [peer, byDefinition(client, peer, LOCAL)],
  ])) as [Measured, Measured, Measured, Measured, Measured];
  const results = { hand, fermata, untracked, handLocal, local };
  return [...regularFindings(results), ...localFindings(results)];
}

function regularFindings({ hand, fermata, untracked }: Results): Finding[] {
  const name = 'hand-written';
  const compare = comparison({ workload: 'W1', name });
  return [
    ...loadFindings('W1', { ours: fermata.rounds, base: hand.rounds, name }),
    compare('CPU of the worker, ms a run, records not written', cpuOf(untracked.rounds), cpuOf(hand.rounds)),
    compare('one at a time, p50 ms', fermata.singles, hand.singles, LIMIT.atMost(1.1)),
    ...weightFindings('W1', { ours: fermata.weight, base: hand.weight, definition: definitionBytes(REGULAR) }),
  ];
}

function localFindings({ hand, handLocal, local }: Results): Finding[] {
  const compare = comparison({ workload: 'W1 local', name: 'hand-written, regular' });
  const alike = comparison({ workload: 'W1 local', name: 'hand-written, local' });
  return [
    compare('runs/s', rateOf(local.rounds), rateOf(hand.rounds), LIMIT.atLeast(2)),
    ...cpuFindings(compare, { ours: local.rounds, base: hand.rounds, limit: 0.42 }),
    compare('CPU of the worker, ms a run', cpuOf(local.rounds), cpuOf(hand.rounds)),
    alike('runs/s', rateOf(local.rounds), rateOf(handLocal.rounds)),
    alike('CPU of the worker, ms a run', cpuOf(local.rounds), cpuOf(handLocal.rounds)),
    alike('one at a time, p50 ms', local.singles, handLocal.singles),
    ...weightFindings('W1 local', { ours: local.weight, base: handLocal.weight, definition: definitionBytes(LOCAL) }),
  ];
}
