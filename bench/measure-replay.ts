/** Replay: a history of 2,003 events (333 commands in a loop), rebuilt from its start. */
import { readFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { LOOP } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { comparison, LIMIT } from './comparison.ts';
import { byDefinition, byHand, type Start } from './runs.ts';
import { median } from './statistics.ts';

const TURNS = 333;
/** Replays of each side; the first one warms up and is not counted. */
const REPLAYS = 9;

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

export async function measureReplay(ground: Ground): Promise<Finding[]> {
  const { client, bundles } = ground;
  const [hand, fermata] = [await ground.peer('hand-written'), await ground.peer('fermata')];
  const handHistory = await record(byHand(client, hand, 'loop'));
  const history = await record(byDefinition(client, fermata, LOOP));
  const handCode = await readFile(bundles.handWritten, 'utf8');
  const code = await readFile(bundles.fermata, 'utf8');
  const times: { hand: number[]; fermata: number[] } = { hand: [], fermata: [] };
  for (let replay = 0; replay <= REPLAYS; replay++) {
    const handMs = await replayMs(handCode, handHistory);
    const ms = await replayMs(code, history);
    if (replay === 0) continue;
    times.hand.push(handMs);
    times.fermata.push(ms);
  }
  const events = history.events?.length ?? 0;
  const speed = (ms: number): number => (events * 1000) / ms;
  const compare = comparison({ workload: 'replay', name: 'hand-written' });
  return [
    compare(`events/s, ${events} events`, times.fermata.map(speed), times.hand.map(speed), LIMIT.atLeast(0.9)),
    {
      workload: 'replay',
      measure: 'events/s, slowest allowed',
      value: speed(median(times.fermata)),
      base: null,
      ratio: null,
      target: { of: 'value', bound: 'at least', limit: 1700 },
    },
  ];
}

async function record(start: Start): Promise<History> {
  const handle = await start({ order: 'o-1', turns: TURNS });
  await handle.result();
  return handle.fetchHistory();
}

async function replayMs(code: string, history: History): Promise<number> {
  const started = performance.now();
  await Worker.runReplayHistory(
    { workflowBundle: { code }, sinks: { fermata: { records: { fn: () => {} } } } },
    history,
  );
  return performance.now() - started;
}
