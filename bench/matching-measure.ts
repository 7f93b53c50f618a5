/** Builds an index of one scenario and size and measures it. Needs `--expose-gc`. */
import { SubscriptionIndex } from '../definitions/matching/index.ts';
import type { CloudEvent } from '../definitions/types.ts';
import { SCENARIOS, type ScenarioName, TENANT_OF } from './matching-scenarios.ts';

/** Times in microseconds per event, `addUs` and `removeUs` per definition; `bytesEach`: heap per definition. */
export interface Measurement {
  readonly scenario: ScenarioName;
  readonly size: number;
  /** Mean per event. */
  readonly matches: number;
  /** Mean per event: triggers that the look-up found. */
  readonly candidates: number;
  readonly eventsPerSecond: number;
  readonly lookUpP50Us: number;
  readonly lookUpP99Us: number;
  readonly matchP50Us: number;
  readonly matchP99Us: number;
  /** `null` below 1,000 definitions, which weigh less than the code that they wake. */
  readonly bytesEach: number | null;
  readonly addUs: number;
  readonly removeUs: number;
}

export function measure(task: { scenario: ScenarioName; size: number; events: number }): Measurement {
  const { subscription, event } = SCENARIOS[task.scenario];
  const before = heapUsed();
  const index = new SubscriptionIndex();
  const addUs = timePerItem(task.size, (place) => index.add(subscription(place, task.size)));
  const bytesEach = task.size < 1000 ? null : (heapUsed() - before) / task.size;
  const events = Array.from({ length: task.events }, (_, place) => event(place, task.size));
  const warmUp = events.slice(0, 2000);
  for (const warm of warmUp) index.match(warm, TENANT_OF(warm));
  const lookUps = timeEach(events, (each) => index.candidates(each, TENANT_OF(each)).length);
  const matches = timeEach(events, (each) => index.match(each, TENANT_OF(each)).length);
  const started = process.hrtime.bigint();
  for (const each of events) index.match(each, TENANT_OF(each));
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const removed = Math.min(task.size, 1000);
  const removeUs = timePerItem(removed, (place) => {
    const { tenant, definitionId } = subscription(place, task.size);
    index.remove(tenant, definitionId);
  });
  return {
    ...task,
    matches: matches.mean,
    candidates: lookUps.mean,
    eventsPerSecond: events.length / seconds,
    lookUpP50Us: lookUps.p50,
    lookUpP99Us: lookUps.p99,
    matchP50Us: matches.p50,
    matchP99Us: matches.p99,
    bytesEach,
    addUs,
    removeUs,
  };
}

function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('Run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function timePerItem(count: number, run: (place: number) => void): number {
  const started = process.hrtime.bigint();
  for (let place = 0; place < count; place++) run(place);
  return Number(process.hrtime.bigint() - started) / 1000 / count;
}

/** Percentiles of single calls (the clock itself costs some 0.1 µs of each), and the mean of what they gave. */
function timeEach(events: readonly CloudEvent[], run: (event: CloudEvent) => number) {
  const times = new Float64Array(events.length);
  let sum = 0;
  for (const [place, event] of events.entries()) {
    const started = process.hrtime.bigint();
    sum += run(event);
    times[place] = Number(process.hrtime.bigint() - started) / 1000;
  }
  times.sort();
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), mean: sum / events.length };
}
