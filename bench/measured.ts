/** Measuring contestants in turns, under load and one at a time, and what is said of the weight of their histories. */
import { LIMIT } from './comparison.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { type Contestant, oneAtATime, type Round, underLoad } from './load.ts';
import type { Peer } from './peer.ts';
import { type Start, timeRun, type Weight, weigh } from './runs.ts';

/** What was measured of one contestant. */
export interface Measured {
  readonly rounds: readonly Round[];
  readonly singles: readonly number[];
  readonly weight: Weight;
}

/** Gives what was measured of each, in its place. */
export async function measureAll({ options }: Ground, peers: readonly (readonly [Peer, Start])[]): Promise<Measured[]> {
  const contestants = peers.map(([peer, start]): Contestant => ({ peer, run: () => timeRun(start) }));
  const rounds = await underLoad(contestants, options);
  const singles = await oneAtATime(contestants, options.singles);
  return Promise.all(
    peers.map(async ([, start], place) => ({
      rounds: rounds[place] ?? [],
      singles: singles[place] ?? [],
      weight: await weighOne(start),
    })),
  );
}

async function weighOne(start: Start): Promise<Weight> {
  const handle = await start({ order: 'o-1' });
  await handle.result();
  return weigh(handle);
}

export function weightFindings(
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
      measure: `history bytes beside the definition's ${definition}`,
      value: bytes,
      base: { name, value: base.bytes },
      ratio: bytes / base.bytes,
      target: LIMIT.atMost(1.1),
    },
  ];
}
