/** An event, from its publishing until the runs that it starts have begun, among many subscribed definitions. */
import { connect, type Fermata } from '../client/index.ts';
import type { Definition, Filters } from '../definitions/types.ts';
import { LIMIT } from './comparison.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import { percentile } from './statistics.ts';

const TAKERS = 3;
/** Other definitions that listen to the same type. */
const OTHERS = 1500;
const AT_ONCE = 10;
const WARM_UP = 5;

export async function measureEvent({ databaseUrl, temporal, options }: Ground): Promise<Finding[]> {
  const fermata = await connect({ databaseUrl, temporal, taskQueue: 'bench-events' });
  try {
    await publishAll(fermata);
    const one = await times(fermata, { kind: 'single', runs: 1, events: options.singles });
    const all = await times(fermata, { kind: 'triple', runs: TAKERS, events: options.singles });
    const shared = { workload: `event among ${OTHERS.toLocaleString('en-US')} definitions`, base: null, ratio: null };
    const target = LIMIT.valueAtMost(25);
    return [
      { ...shared, measure: 'published to run started, p50 ms', value: percentile(one, 0.5), target },
      { ...shared, measure: `published to ${TAKERS} runs started, p50 ms`, value: percentile(all, 0.5), target: null },
      { ...shared, measure: `published to ${TAKERS} runs started, p99 ms`, value: percentile(all, 0.99), target: null },
    ];
  } finally {
    await fermata.close();
  }
}

async function publishAll(fermata: Fermata): Promise<void> {
  const definitions = [
    listener('single-1', { kind: 'single' }),
    ...Array.from({ length: TAKERS }, (_, place) => listener(`triple-${place}`, { kind: 'triple' })),
    ...Array.from({ length: OTHERS }, (_, place) => listener(`other-${place}`, { kind: `other-${place}` })),
  ];
  const next = definitions.values();
  const lane = async (): Promise<void> => {
    for (const definition of next) await fermata.definitions.publish(definition, { handlers: HANDLERS });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

const HANDLERS = { touch: { 1: { hasRollback: false } } };

function listener(id: string, filters: Filters): Definition {
  const payload = { order: '${event.data.order}', step: 1 };
  return {
    id,
    trigger: { event: 'bench.placed', filters },
    nodes: [{ id: 'step', type: 'action', config: { command: 'touch', payload } }],
  };
}

/** Milliseconds from the call of `publish` to its answer, which comes when Temporal has the runs. */
async function times(
  fermata: Fermata,
  { kind, runs, events }: { readonly kind: string; readonly runs: number; readonly events: number },
): Promise<number[]> {
  const measured: number[] = [];
  for (let place = -WARM_UP; place < events; place++) {
    const started = performance.now();
    const event = { id: `${kind}-${place}`, type: 'bench.placed', source: '/bench', data: { order: 'o-1', kind } };
    const answer = await fermata.events.publish(event);
    if (answer.began.length !== runs) throw new Error(`${answer.began.length} runs began in place of ${runs}`);
    if (place >= 0) measured.push(performance.now() - started);
  }
  return measured;
}
