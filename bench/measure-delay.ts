/** Delays of under a second: how late a run goes on, by the times in its history. */
import { comparison, LIMIT } from './comparison.ts';
import { DELAY } from './definitions.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { byDefinition, byHand, type Start } from './runs.ts';

const DELAYS_MS = [100, 300, 700];

export async function measureDelay(ground: Ground): Promise<Finding[]> {
  const { client, options } = ground;
  const hand = byHand(client, await ground.peer('hand-written'), 'delay');
  const fermata = byDefinition(client, await ground.peer('fermata'), DELAY);
  const late: { hand: number[]; fermata: number[] } = { hand: [], fermata: [] };
  for (let run = 0; run < options.singles; run++) {
    const ms = DELAYS_MS[run % DELAYS_MS.length] ?? 100;
    late.hand.push(await lateness(hand, ms));
    late.fermata.push(await lateness(fermata, ms));
  }
  const compare = comparison({ workload: 'delay < 1 s', name: 'hand-written' });
  return [compare('late, p50 ms', late.fermata, late.hand, LIMIT.valueAtMost(50))];
}

/** From the moment that was asked for to the end of the run, which does nothing else. */
async function lateness(start: Start, ms: number): Promise<number> {
  const handle = await start({ ms });
  await handle.result();
  const { events } = await handle.fetchHistory();
  const timer = events?.find((event) => event.timerStartedEventAttributes);
  const last = events?.at(-1);
  if (!timer || !last) throw new Error('The run had no timer');
  return timeOf(last) - timeOf(timer) - ms;
}

function timeOf({ eventTime }: { readonly eventTime?: Timestamp | null }): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}

interface Timestamp {
  readonly seconds?: { toString(): string } | number | null;
  readonly nanos?: number | null;
}
