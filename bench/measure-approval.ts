/** W3: an approval, then one command. Under load the decision comes by signal; one at a time by signal and by update. */
import type { WorkflowHandle } from '@temporalio/client';
import { waitUntil } from '../workers/servers/wait-until.ts';
import { comparison, LIMIT } from './comparison.ts';
import { APPROVAL } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { loadFindings } from './load-findings.ts';
import { type Contestant, oneAtATime, underLoad } from './load.ts';
import type { Peer } from './peer.ts';
import { byDefinition, byHand, type Start } from './runs.ts';

const DECISION = { nodeId: 'review', outcome: 'approved', by: { id: 'ann' } };
/** Started, scheduled, begun, completed: the run has come to its wait. */
const PARKED_EVENTS = 4;

export async function measureApproval(ground: Ground): Promise<Finding[]> {
  const { client, options } = ground;
  const [hand, fermata] = [await ground.peer('hand-written'), await ground.peer('fermata')];
  const starts: readonly [Peer, Start][] = [
    [hand, byHand(client, hand, 'approval')],
    [fermata, byDefinition(client, fermata, APPROVAL)],
  ];
  const contestants = (door: Door): Contestant[] =>
    starts.map(([peer, start]) => ({ peer, run: () => decide(start, door) }));
  const [base = [], ours = []] = await underLoad(contestants(bySignal), options);
  const [baseSignal = [], signal = []] = await oneAtATime(contestants(bySignal), options.singles);
  const [baseUpdate = [], update = []] = await oneAtATime(contestants(byUpdate), options.singles);
  const compare = comparison({ workload: 'W3', name: 'hand-written' });
  return [
    ...loadFindings('W3', { ours, base, name: 'hand-written' }),
    compare('signal to result one at a time, p50 ms', signal, baseSignal, LIMIT.valueAtMost(45)),
    compare('update to result one at a time, p50 ms', update, baseUpdate, LIMIT.valueAtMost(45)),
  ];
}

/** One of the two ways in which a decision comes. */
type Door = (handle: WorkflowHandle) => Promise<unknown>;
const bySignal: Door = (handle) => handle.signal('decide', DECISION);
const byUpdate: Door = (handle) => handle.executeUpdate('decide', { args: [DECISION] });

/** Gives the time from the decision to the run's result. */
async function decide(start: Start, door: Door): Promise<number> {
  const handle = await start({ order: 'o-1' });
  const parked = async (): Promise<true | null> =>
    (await handle.describe()).historyLength >= PARKED_EVENTS ? true : null;
  if ((await waitUntil(parked, { timeoutMs: 60_000, everyMs: 20 })) === null) throw new Error('A run never parked');
  const decided = performance.now();
  await door(handle);
  await handle.result();
  return performance.now() - decided;
}
