/** W1: ten trivial commands in sequence, as activities and as local activities. */
import { sequence } from './definitions.ts';
import { comparison, LIMIT } from './comparison.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { type Contestant, oneAtATime, type Round, underLoad } from './load.ts';
import { byDefinition, byHand, definitionBytes, type Start, type Weight, weigh } from './runs.ts';
import { percentile } from './statistics.ts';

const REGULAR = sequence({ local: false });
const LOCAL = sequence({ local: true });

export async function measureSequence(ground: Ground): Promise<Finding[]> {
  const { client, options } = ground;
  const [hand, fermata, untracked] = [
    await ground.peer('hand-written'),
    await ground.peer('fermata'),
    await ground.peer('fermata-untracked'),
  ];
  const starts: Start[] = [
    byHand(client, hand, 'sequence'),
    byDefinition(client, fermata, REGULAR),
    byDefinition(client, untracked, REGULAR),
    byHand(client, hand, 'sequenceLocal'),
    byDefinition(client, fermata, LOCAL),
  ];
  const peers = [hand, fermata, untracked, hand, fermata];
  const contestants = starts.map((start, place): Contestant => ({
    name: NAMES[place] as string,
    peer: peers[place] as Contestant['peer'],
    run: () => timeRun(start),
  }));
  const rounds = await underLoad(contestants, options);
  const singles = await oneAtATime(contestants, options.singles);
  const weights = await Promise.all(starts.map(weighOne));
  return [...regularFindings({ rounds, singles, weights }), ...localFindings({ rounds, singles, weights })];
}

const NAMES = ['hand-written', 'fermata', 'untracked', 'hand-written local', 'fermata local'];

export async function timeRun(start: Start): Promise<number> {
  const started = performance.now();
  const handle = await start({ order: 'o-1' });
  await handle.result();
  return performance.now() - started;
}

async function weighOne(start: Start): Promise<Weight> {
  const handle = await start({ order: 'o-1' });
  await handle.result();
  return weigh(handle);
}

interface Measured {
  readonly rounds: readonly Round[][];
  readonly singles: readonly number[][];
  readonly weights: readonly Weight[];
}

function regularFindings({ rounds, singles, weights }: Measured): Finding[] {
  const [hand, fermata, untracked] = rounds as [Round[], Round[], Round[]];
  const compare = comparison({ workload: 'W1', name: 'hand-written' });
  const [handWeight, weight] = weights as [Weight, Weight];
  return [
    ...loadFindings('W1', { ours: fermata, base: hand, name: 'hand-written' }),
    compare('CPU ms a run, records not written', cpuOf(untracked), cpuOf(hand)),
    compare('one at a time, p50 ms', singles[1] ?? [], singles[0] ?? [], LIMIT.atMost(1.1)),
    ...weightFindings('W1', { ours: weight, base: handWeight, definition: definitionBytes(REGULAR) }),
  ];
}

function localFindings({ rounds, singles, weights }: Measured): Finding[] {
  const [hand, , , handLocal, local] = rounds as [Round[], Round[], Round[], Round[], Round[]];
  const compare = comparison({ workload: 'W1 local', name: 'hand-written, regular' });
  const same = comparison({ workload: 'W1 local', name: 'hand-written, local' });
  const [, , , handWeight, weight] = weights as [Weight, Weight, Weight, Weight, Weight];
  return [
    compare('runs/s', rateOf(local), rateOf(hand), LIMIT.atLeast(2)),
    compare('CPU ms a run', cpuOf(local), cpuOf(hand), LIMIT.atMost(0.42)),
    same('runs/s', rateOf(local), rateOf(handLocal)),
    same('CPU ms a run', cpuOf(local), cpuOf(handLocal)),
    same('one at a time, p50 ms', singles[4] ?? [], singles[3] ?? []),
    ...weightFindings('W1 local', { ours: weight, base: handWeight, definition: definitionBytes(LOCAL) }),
  ];
}

/** What every workload tells of its rounds under load. */
export function loadFindings(
  workload: string,
  { ours, base, name }: { readonly ours: readonly Round[]; readonly base: readonly Round[]; readonly name: string },
): Finding[] {
  const compare = comparison({ workload, name });
  const tail = (rounds: readonly Round[]): number[] => rounds.map(({ timesMs }) => percentile(timesMs, 0.99));
  const middle = (rounds: readonly Round[]): number[] => rounds.map(({ timesMs }) => percentile(timesMs, 0.5));
  return [
    compare('runs/s', rateOf(ours), rateOf(base), LIMIT.atLeast(0.97)),
    compare('CPU ms a run', cpuOf(ours), cpuOf(base), LIMIT.atMost(1.05)),
    compare('under load, p50 ms', middle(ours), middle(base)),
    compare('under load, p99 ms', tail(ours), tail(base)),
  ];
}

function weightFindings(
  workload: string,
  { ours, base, definition }: { readonly ours: Weight; readonly base: Weight; readonly definition: number },
): Finding[] {
  const name = 'hand-written';
  const bytes = ours.bytes - definition;
  return [
    {
      workload,
      measure: 'history events',
      value: ours.events,
      base: { name, value: base.events },
      ratio: ours.events / base.events,
      target: { of: 'value', bound: 'exactly', limit: base.events },
    },
    {
      workload,
      measure: `history bytes, without the definition (${definition})`,
      value: bytes,
      base: { name, value: base.bytes },
      ratio: bytes / base.bytes,
      target: LIMIT.atMost(1.1),
    },
  ];
}

function rateOf(rounds: readonly Round[]): number[] {
  return rounds.map(({ runsPerSecond }) => runsPerSecond);
}

function cpuOf(rounds: readonly Round[]): number[] {
  return rounds.map(({ cpuMs }) => cpuMs);
}
