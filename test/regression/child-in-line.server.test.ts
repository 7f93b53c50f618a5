/**
 * A child that waits for its key is awaited by an activity. A cancel that came before an attempt was there to pass it on
 * was lost, and the child began when its turn came; a worker that shut down cancelled it; and every look longer than its
 * three seconds counted as a failed attempt, each followed by a longer pause.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunHandle } from '../../client/index.ts';
import type { Definition } from '../../definitions/types.ts';
import { type ClientBench, startClientBench } from '../client/setup.ts';

const IN_TIME = { timeout: 30_000, interval: 100 };

let bench: ClientBench;
beforeAll(async () => {
  bench = await startClientBench();
});
afterAll(() => bench.stop());

/** `lane` holds its key until its nap is over; `three` begins three of them, of which two have to wait. */
async function publish(name: string, nap: string): Promise<void> {
  const lane: Definition = {
    id: `lane-${name}`,
    key: { value: 'only', onConflict: 'queue' },
    nodes: [{ id: 'nap', type: 'delay', config: { duration: nap } }],
  };
  const branches = ['a', 'b', 'c'].map((id) => ({
    id,
    nodes: [{ id: `child_${id}`, type: 'workflow' as const, config: { definitionId: lane.id } }],
  }));
  const three: Definition = { id: `three-${name}`, nodes: [{ id: 'fork', type: 'parallel', config: { branches } }] };
  for (const definition of [lane, three]) await bench.fermata.definitions.publish(definition);
}

const statesOf = async (definitionId: string): Promise<string[]> =>
  (await bench.fermata.runs.list({ definitionId })).items.map(({ state }) => state);

const openOnes = async (definitionId: string): Promise<string[]> =>
  (await statesOf(definitionId)).filter((state) => state !== 'cancelled');

const ended = (run: RunHandle): Promise<string> =>
  run.result().then(
    () => 'completed',
    (error: { code: string }) => error.code,
  );

test('a cancel reaches children that wait for their turn, whenever it comes', async () => {
  await publish('cancelled', '1h');
  for (let round = 1; round <= 5; round++) {
    const run = await bench.fermata.runs.start('three-cancelled');
    if (round % 2 === 0) {
      await vi.waitFor(async () => expect(await openOnes('lane-cancelled')).toHaveLength(3), IN_TIME);
    }
    await run.cancel();
    expect(await ended(run)).toBe('run.cancelled');
    await vi.waitFor(async () => expect(await openOnes('lane-cancelled')).toEqual([]), IN_TIME);
  }
}, 120_000);

test('a worker that shuts down cancels no child, and a long wait is one attempt', async () => {
  await publish('awaited', '4s');
  const run = await bench.fermata.runs.start('three-awaited');
  await vi.waitFor(async () => expect(await statesOf('lane-awaited')).toHaveLength(3), IN_TIME);
  await bench.stopWorker();
  await bench.startWorker();
  expect(await ended(run)).toBe('completed');
  const completed = Array.from({ length: 3 }, () => 'completed');
  await vi.waitFor(async () => expect(await statesOf('lane-awaited')).toEqual(completed), IN_TIME);
  const { events } = await bench.fermata.temporal.workflow.getHandle(run.id).fetchHistory();
  const attempts = events?.map((event) => event.activityTaskStartedEventAttributes?.attempt ?? 0) ?? [];
  expect(Math.max(...attempts)).toBeLessThanOrEqual(2);
}, 120_000);
