/** Replay: a history of 2,003 events (333 commands in a loop), rebuilt from its start. */
import { readFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { LOOP } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { comparison, LIMIT } from './comparison.ts';
import { byDefinition, byHand, type Start } from './runs.ts';

const TURNS = 333;
/** Workers of each side, in turns, and replays that count in each; one before them starts and warms the worker up. */
const ROUNDS = 3;
const REPLAYS = 3;

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

export async function measureReplay(ground: Ground): Promise<Finding[]> {
  // tsx turns them on in this thread, where the replays run, and with them Node looks at each bit of compiled code; no
  // worker has them, and the SDK compiles code for each promise of hand-written workflows.
  process.setSourceMapsEnabled(false);
  const { client, bundles } = ground;
  const hand = await record(byHand(client, await ground.peer('hand-written'), 'loop'));
  const fermata = await record(byDefinition(client, await ground.peer('fermata'), LOOP));
  const handCode = await readFile(bundles.handWritten, 'utf8');
  const code = await readFile(bundles.fermata, 'utf8');
  const events = fermata.events?.length ?? 0;
  const speeds: { readonly hand: number[]; readonly fermata: number[] } = { hand: [], fermata: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const ms of await replays(handCode, hand)) speeds.hand.push((events * 1000) / ms);
    for (const ms of await replays(code, fermata)) speeds.fermata.push((events * 1000) / ms);
  }
  const compare = comparison({ workload: `replay of ${events} events`, name: 'hand-written' });
  return [
    compare('events/s', speeds.fermata, speeds.hand, LIMIT.atLeast(0.9)),
    compare('events/s, at least', speeds.fermata, speeds.hand, LIMIT.valueAtLeast(1700)),
  ];
}

async function record(start: Start): Promise<History> {
  const handle = await start({ order: 'o-1', turns: TURNS });
  await handle.result();
  return handle.fetchHistory();
}

/** Replays a history again and again in one worker, and gives the times but the first, in ms. */
async function replays(code: string, history: History): Promise<number[]> {
  const copies = Array.from({ length: REPLAYS + 1 }, (_, place) => ({ workflowId: `replay-${place}`, history }));
  const options = { workflowBundle: { code }, sinks: { fermata: { records: { fn: () => {} } } } };
  const times: number[] = [];
  let started = performance.now();
  for await (const { error } of Worker.runReplayHistories(options, copies)) {
    if (error) throw error;
    times.push(performance.now() - started);
    started = performance.now();
  }
  return times.slice(1);
}
