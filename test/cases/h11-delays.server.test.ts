/** Case H11, without zones and months: a year, a moment ago, minus five. On the time-skipping server. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkDefinition } from '../../definitions/index.ts';
import type { DelayNode, Definition, Json } from '../../definitions/types.ts';
import type { RunView } from '../../workflows/run.ts';
import { startTimeSkippingServer } from '../../workers/servers/time-skipping-server.ts';
import { eventsWith, waiting } from './conclude.ts';
import { type Handle, openStage, type Stage } from './stage.ts';

const DAY_MS = 86_400_000;
let stage: Stage;
let skipping: Awaited<ReturnType<typeof startTimeSkippingServer>>;
beforeAll(async () => {
  skipping = await startTimeSkippingServer({ env: process.env, log: () => undefined });
  const { address } = skipping;
  // Without a cache no task waits for a worker that has gone: on a clock that stands still it would wait for ever.
  stage = await openStage({
    temporal: { address, namespace: skipping.namespace ?? 'default' },
    tuning: { maxCachedWorkflows: 0 },
  });
});
afterAll(async () => {
  await stage.close();
  await skipping.teardown();
});

const napping = (config: DelayNode['config']): Definition => ({
  id: 'h11',
  nodes: [{ id: 'nap', type: 'delay', config }],
});

/** What the run says of itself while it waits. */
async function wakesAt(handle: Handle): Promise<number> {
  await waiting(stage.store, handle.workflowId, 'nap');
  const { waiting: waits } = await handle.query<RunView>('state');
  return waits[0]?.until ?? 0;
}

async function sleptMs(handle: Handle): Promise<number> {
  const { document } = await stage.conclude(handle);
  const [nap] = document.trace;
  expect(document.state).toBe('completed');
  return Date.parse(nap?.finishedAt ?? '') - Date.parse(nap?.startedAt ?? '');
}

describe('H11', () => {
  test('a delay of 364 days wakes after 364 days, says so meanwhile, and overflows no timer', async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error): number => warnings.push(warning);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const handle = await stage.start(napping({ duration: '364d' }));
    const until = await wakesAt(handle);
    expect(until - (await skipping.currentTimeMs())).toBeGreaterThan(363 * DAY_MS);
    await skipping.sleep(363 * DAY_MS);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await skipping.sleep(DAY_MS);
    const ms = await sleptMs(handle);
    expect(ms).toBeGreaterThanOrEqual(364 * DAY_MS);
    expect(ms).toBeLessThan(364 * DAY_MS + 60_000);
    expect(warnings.filter(({ name }) => name === 'TimeoutOverflowWarning')).toEqual([]);
  });

  test('a delay of 90 days with another worker from day 30 on wakes on its day', async () => {
    const handle = await stage.start(napping({ delayMs: 90 * DAY_MS }));
    const until = await wakesAt(handle);
    await skipping.sleep(30 * DAY_MS);
    await stage.stopWorker();
    await stage.startWorker();
    expect((await handle.query<RunView>('state')).waiting[0]?.until).toBe(until);
    await skipping.sleep(60 * DAY_MS);
    const ms = await sleptMs(handle);
    expect(ms).toBeGreaterThanOrEqual(90 * DAY_MS);
    expect(ms).toBeLessThan(90 * DAY_MS + 60_000);
  });

  test.each<[string, DelayNode['config']]>([
    ['until one hour ago', { until: '${input.ago}' }],
    ['of 0', { delayMs: 0 }],
  ])('a delay %s goes on at once, without a timer', async (_, config) => {
    const ago = new Date((await skipping.currentTimeMs()) - 3_600_000).toISOString();
    const { document, histories } = await stage.conclude(await stage.start(napping(config), { input: { ago } }));
    expect(document).toMatchObject({ state: 'completed', trace: [{ nodeId: 'nap', outcome: 'success' }] });
    expect(eventsWith(histories, 'timerStartedEventAttributes')).toEqual([]);
  });

  const WRONG: readonly (readonly [what: string, field: 'delayMs' | 'until', value: Json])[] = [
    ['of -5', 'delayMs', -5],
    ['until null', 'until', null],
    ['until "next tuesday"', 'until', 'next tuesday'],
  ];
  test.each(WRONG)('a delay %s is an error of its node that shows the value', async (_, field, value) => {
    const config = { [field]: '${input.value}' } as unknown as DelayNode['config'];
    const { document } = await stage.conclude(await stage.start(napping(config), { input: { value } }));
    expect(document).toMatchObject({ state: 'failed', error: { type: 'EXPRESSION_ERROR', nodeId: 'nap' } });
    expect(document.error?.message).toContain(JSON.stringify(value));
  });

  test.each(WRONG)('a delay %s is refused when a definition says it outright', (_, field, value) => {
    const { definition, issues } = checkDefinition(napping({ [field]: value }));
    expect(definition).toBeNull();
    expect(issues.map(({ path }) => path)).toContain(`/nodes/0/config/${field}`);
  });
});
