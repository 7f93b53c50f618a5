/**
 * Case H11: a year, a moment ago, minus five; zones, months, cron patterns and working time as the worker answers them. On
 * the time-skipping server; all moments are held against it in `h11-zones-and-months.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkDefinition } from '../../definitions/index.ts';
import type { DelayNode, Definition, Json } from '../../definitions/types.ts';
import type { RunView } from '../../workflows/run-view.ts';
import { momentFor } from '../../time/index.ts';
import { startTimeSkippingServer } from '../../workers/servers/time-skipping-server.ts';
import { eventsWith, waiting } from './conclude.ts';
import { OFFICE } from '../time/calendars.ts';
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

/** What `clocks of the zone show`, as `2027-01-31 12:00`. */
function clocks(at: string | null | undefined, timeZone: string): string {
  return new Date(at ?? '').toLocaleString('sv', { timeZone }).slice(0, 16);
}

describe('H11, asked of the worker', () => {
  test('a local time and a month more wake by the clocks of the zone, each asked for once', async () => {
    const year = new Date(await skipping.currentTimeMs()).getUTCFullYear() + 1;
    const paris = { timeZone: 'Europe/Paris' };
    const definition: Definition = {
      id: 'h11-zones',
      nodes: [
        { id: 'nap', type: 'delay', config: { until: '${input.until}', ...paris }, nextNodeId: 'month' },
        { id: 'month', type: 'delay', config: { duration: 'P1M', ...paris } },
      ],
    };
    const handle = await stage.start(definition, { input: { until: `${year}-01-31T12:00` }, rolloverEvents: 12 });
    expect(clocks(new Date(await wakesAt(handle)).toISOString(), 'Europe/Paris')).toBe(`${year}-01-31 12:00`);
    await stage.stopWorker();
    await stage.startWorker();
    await skipping.sleep(430 * DAY_MS);
    const { document, histories } = await stage.conclude(handle);
    const [nap, month] = document.trace.map(({ finishedAt }) => clocks(finishedAt, 'Europe/Paris'));
    expect(nap).toBe(`${year}-01-31 12:00`);
    expect(month).toBe(`${year}-02-${new Date(Date.UTC(year, 2, 0)).getUTCDate()} 12:00`);
    expect(eventsWith(histories, 'markerRecordedEventAttributes')).toHaveLength(2);
  });

  test('a cron pattern wakes at its next firing', async () => {
    const [cron, timeZone] = ['30 2 * * SUN', 'America/New_York'];
    const handle = await stage.start(napping({ cron, timeZone }));
    const until = await wakesAt(handle);
    await skipping.sleep(8 * DAY_MS);
    const { document } = await stage.conclude(handle);
    const after = Date.parse(document.trace[0]?.startedAt ?? '');
    expect(until).toBe(momentFor({ kind: 'cron', cron, timeZone, after }));
  });

  test('a run keeps the version of a calendar that it counted on first; a later run counts on the newest', async () => {
    const { calendars } = stage.fermata;
    const early = { ...OFFICE, name: 'h11', timeZone: 'UTC', holidays: [], exceptions: {} };
    const late = { ...early, week: { wednesday: ['20:00-22:00'] } };
    await calendars.put(early);
    const working = { until: '${input.until}', calendar: 'h11' };
    const definition: Definition = {
      id: 'h11-calendar',
      nodes: [
        { id: 'nap', type: 'delay', config: working, nextNodeId: 'ask' },
        { id: 'ask', type: 'approval', config: {}, nextNodeId: 'again' },
        { id: 'again', type: 'delay', config: { duration: '1h', calendar: 'h11' } },
      ],
    };
    const input = { until: new Date(await skipping.currentTimeMs()).toISOString() };
    const handle = await stage.start(definition, { input });
    await skipping.sleep(8 * DAY_MS);
    await waiting(stage.store, handle.workflowId, 'ask');
    expect(await calendars.put(late)).toMatchObject({ version: 2 });
    await handle.executeUpdate('decide', { args: [{ nodeId: 'ask', outcome: 'approved', by: { id: 'ann' } }] });
    const other = await stage.start(napping({ duration: '1h', calendar: 'h11' }));
    await skipping.sleep(8 * DAY_MS);
    const hourOf = async (run: Handle): Promise<number> => {
      const { document } = await stage.conclude(run);
      return new Date(document.trace.at(-1)?.finishedAt ?? '').getUTCHours();
    };
    expect(await hourOf(handle)).toBeLessThan(19);
    expect(await hourOf(other)).toBeGreaterThan(19);
  });

  test('a calendar that there is not, and a zone that the worker does not know, are errors of the node', async () => {
    const calendar = await stage.conclude(await stage.start(napping({ duration: '1h', calendar: 'nowhere' })));
    expect(calendar.document.error).toMatchObject({ type: 'CALENDAR_NOT_FOUND', nodeId: 'nap' });
    const config = { cron: '0 9 * * *', timeZone: '${input.zone}' };
    const zone = await stage.conclude(await stage.start(napping(config), { input: { zone: 'Mars/Phobos' } }));
    expect(zone.document.error).toMatchObject({ type: 'EXPRESSION_ERROR', nodeId: 'nap' });
    expect(zone.document.error?.message).toContain('"Mars/Phobos"');
  });

  test('a run that waits by the clocks of a zone is shown with its wake time, and can be cancelled', async () => {
    const year = new Date(await skipping.currentTimeMs()).getUTCFullYear() + 1;
    const until = `${year}-06-01T12:00`;
    const handle = await stage.start(napping({ until, timeZone: 'Asia/Kolkata' }));
    await waiting(stage.store, handle.workflowId, 'nap');
    const shown = await stage.store.runs.document(handle.workflowId);
    expect(shown?.waiting).toMatchObject([{ nodeId: 'nap', kind: 'delay', until: `${year}-06-01T06:30:00.000Z` }]);
    await handle.signal('cancel', { reason: 'enough' });
    const { document } = await stage.conclude(handle);
    expect(document).toMatchObject({ state: 'cancelled', error: { type: 'CANCELLED', nodeId: 'nap' } });
  });
});
