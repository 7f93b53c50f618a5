/**
 * Check 11: a storm of duplicates. Every event id is delivered many times by many clients, in another order by each, and
 * again after its runs were deleted from Temporal. Exactly one run per matching definition and id is there, ever.
 *
 * `FERMATA_STORM_EVENTS` (100), `FERMATA_STORM_DELIVERIES` (50) and `FERMATA_STORM_CLIENTS` (16) make it larger
 * (`npm run soak`).
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Fermata } from '../../client/index.ts';
import type { NewEvent } from '../../client/read-event.ts';
import { type ClientBench, startClientBench } from '../client/setup.ts';

const EVENTS = size('FERMATA_STORM_EVENTS', 100);
const DELIVERIES = size('FERMATA_STORM_DELIVERIES', 50);
const CLIENTS = size('FERMATA_STORM_CLIENTS', 16);
/** Deliveries of one client that are under way at once. */
const LANES = 4;
const DEFINITIONS = ['storm-1', 'storm-2'];
const SEED = size('FERMATA_STORM_SEED', 1);

function size(variable: string, otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}

let bench: ClientBench;
let clients: Fermata[];
beforeAll(async () => {
  bench = await startClientBench();
  for (const id of DEFINITIONS) {
    await bench.fermata.definitions.publish({
      id,
      trigger: { event: 'storm', filters: { region: 'north' } },
      nodes: [{ id: 'stop', type: 'end', config: { output: '${event.data.n}' } }],
    });
  }
  clients = await Promise.all(Array.from({ length: CLIENTS }, () => bench.connect({ maxDatabaseConnections: LANES })));
});
afterAll(() => bench.stop());

const events: readonly NewEvent[] = Array.from({ length: EVENTS }, (_, n) => ({
  id: `evt-${n}`,
  type: 'storm',
  source: '/storm',
  data: { region: 'north', n },
}));

test('one run per definition and event id, whatever is delivered how often and by whom, also when Temporal has forgotten', {
  timeout: 30 * 60_000,
}, async () => {
  const answers = new Map<string, Set<string>>();
  let created = 0;
  const began: string[] = [];
  const deliverAll = async (each: number, by: readonly Fermata[]): Promise<number> => {
    const deliveries = shuffled(Array.from({ length: each }, () => events).flat());
    const started = performance.now();
    const lanes = by.flatMap((fermata) => Array.from({ length: LANES }, () => fermata));
    await Promise.all(
      lanes.map(async (fermata) => {
        for (let event = deliveries.pop(); event !== undefined; event = deliveries.pop()) {
          const { eventId, runs, ...delivery } = await fermata.events.publish(event);
          const told = answers.get(eventId) ?? new Set();
          answers.set(eventId, told.add(JSON.stringify(runs)));
          created += delivery.created ? 1 : 0;
          began.push(...delivery.began);
        }
      }),
    );
    return Math.round((EVENTS * each) / ((performance.now() - started) / 1000));
  };

  const rate = await deliverAll(DELIVERIES, clients);
  const expected = DEFINITIONS.flatMap((id) => events.map((event) => `${bench.tenant}/${id}/${event.id}`)).toSorted();
  expect(created).toBe(EVENTS);
  expect([...answers.values()].filter((told) => told.size !== 1)).toEqual([]);
  expect(began.toSorted()).toEqual(expected);
  for (const runId of expected) await bench.fermata.runs.result(runId);
  expect(await executions()).toEqual(expected);

  await forgetAll(expected);
  expect(await executions()).toEqual([]);
  const again = await deliverAll(2, clients);
  expect(began).toHaveLength(expected.length);
  expect([...answers.values()].filter((told) => told.size !== 1)).toEqual([]);
  expect(await executions()).toEqual([]);
  expect(await rows()).toEqual(expected);
  console.log(
    `duplicate storm: ${EVENTS} ids × ${DELIVERIES} deliveries by ${CLIENTS} clients, seed ${SEED}: ` +
      `${created} accepted, ${began.length} runs of ${DEFINITIONS.length} definitions, 0 doubled; ` +
      `${rate} deliveries/s, ${again}/s after Temporal had forgotten them`,
  );
});

/** Workflow ids of this storm in Temporal, sorted; each execution once, so a second run of one id would show. */
async function executions(): Promise<string[]> {
  const { temporal } = bench.fermata;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query: `FermataTenant = "${bench.tenant}"` })) {
    ids.push(workflowId);
  }
  return ids.toSorted();
}

async function rows(): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await bench.fermata.runs.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.items.map((run) => run.runId));
    cursor = page.cursor;
  }
  return ids.toSorted();
}

async function forgetAll(runIds: readonly string[]): Promise<void> {
  const { temporal, settings } = bench.fermata;
  const { namespace } = settings.temporal;
  for (const workflowId of runIds) {
    await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  }
  for (const workflowId of runIds) {
    const gone = () =>
      expect(temporal.workflow.getHandle(workflowId).describe()).rejects.toMatchObject({
        name: 'WorkflowNotFoundError',
      });
    await vi.waitFor(gone, { timeout: 120_000, interval: 250 });
  }
  await vi.waitFor(async () => expect(await executions()).toEqual([]), { timeout: 120_000, interval: 250 });
}

/** Fisher–Yates with a small seeded generator (mulberry32), so that a failing order can be had again. */
function shuffled<T>(items: readonly T[]): T[] {
  const list = [...items];
  let state = SEED;
  for (let index = list.length - 1; index > 0; index--) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const other = ((mixed ^ (mixed >>> 14)) >>> 0) % (index + 1);
    [list[index], list[other]] = [list[other] as T, list[index] as T];
  }
  return list;
}
