/** Case H11, zones, months, cron patterns and working time, in the simulator: what counts is when the run wakes. */
import { describe, expect, test } from 'vitest';
import { checkDefinition, parseDefinition } from '../../definitions/index.ts';
import type { DelayNode, Definition, Json, RunDocument } from '../../definitions/index.ts';
import type { RunRecord } from '../../definitions/records.ts';
import { simulate, type SimulateOptions } from '../../testing/index.ts';
import { OFFICE } from '../time/calendars.ts';

type Config = DelayNode['config'];

function napping(...configs: readonly Config[]): Definition {
  const ids = configs.map((_, index) => `nap${index + 1}`);
  const nodes = configs.map((config, index): DelayNode => {
    const next = ids[index + 1];
    return { id: ids[index] as string, type: 'delay', config, ...(next === undefined ? {} : { nextNodeId: next }) };
  });
  return { id: 'h11', nodes };
}

/** The document of a run, which is the same when it goes on in a fresh history at every safe point. */
async function played(definition: Definition, options: SimulateOptions = {}): Promise<RunDocument> {
  const given = { calendars: [OFFICE], ...options };
  const document = await simulate(definition, given);
  expect(await simulate(definition, { ...given, rollover: 1 })).toEqual(document);
  return document;
}

/** When each delay ends. */
async function wakes(start: string, ...configs: readonly Config[]): Promise<readonly (string | null)[]> {
  const { state, trace } = await played(napping(...configs), { start });
  expect(state).toBe('completed');
  return trace.map(({ finishedAt }) => finishedAt);
}

describe('H11: the month rule', () => {
  test('until 2027-01-31T12:00 in Paris and one month more is 28 February, 12:00 in Paris', async () => {
    const paris = { timeZone: 'Europe/Paris' };
    expect(
      await wakes('2027-01-01T00:00:00Z', { until: '2027-01-31T12:00', ...paris }, { duration: 'P1M', ...paris }),
    ).toEqual(['2027-01-31T11:00:00.000Z', '2027-02-28T11:00:00.000Z']);
  });

  test.each<[string, string, Config, string]>([
    ['to 29 February in a leap year', '2028-01-31T11:00:00Z', { duration: 'P1M' }, '2028-02-29T11:00:00.000Z'],
    ['from a leap day to 28 February', '2028-02-29T11:00:00Z', { duration: 'P1Y' }, '2029-02-28T11:00:00.000Z'],
    [
      'with the same time of day on clocks that went forward',
      '2027-03-15T11:00:00Z',
      { duration: 'P1M', timeZone: 'Europe/Paris' },
      '2027-04-15T10:00:00.000Z',
    ],
    ['in UTC where no zone is given', '2027-03-15T11:00:00Z', { duration: 'P1M' }, '2027-04-15T11:00:00.000Z'],
    [
      'by the date of a fixed offset',
      '2027-01-31T23:30:00Z',
      { duration: 'P1M', timeZone: '+02:00' },
      '2027-02-28T23:30:00.000Z',
    ],
    ['with days and hours behind them', '2027-01-31T11:00:00Z', { duration: 'P1M1DT1H' }, '2027-03-01T12:00:00.000Z'],
  ])('a month goes %s', async (_, start, config, expected) => {
    expect(await wakes(start, config)).toEqual([expected]);
  });

  test('a day is 24 hours, over the night that clocks change too', async () => {
    const config = { duration: 'P1D', timeZone: 'Europe/Paris' };
    expect(await wakes('2027-03-27T11:00:00Z', config)).toEqual(['2027-03-28T11:00:00.000Z']);
  });
});

describe('H11: local times', () => {
  test.each<[string, Config, string]>([
    ['in UTC where no zone is given', { until: '2027-06-01T12:00' }, '2027-06-01T12:00:00.000Z'],
    ['in a zone', { until: '2027-06-01T12:00', timeZone: 'Asia/Kolkata' }, '2027-06-01T06:30:00.000Z'],
    ['at a fixed offset', { until: '2027-06-01T12:00', timeZone: '-05:00' }, '2027-06-01T17:00:00.000Z'],
    [
      'that is skipped, at the first valid moment after it',
      { until: '2027-03-28T02:30', timeZone: 'Europe/Paris' },
      '2027-03-28T01:00:00.000Z',
    ],
    [
      'that is doubled, the first time',
      { until: '2027-10-31T02:30', timeZone: 'Europe/Paris' },
      '2027-10-31T00:30:00.000Z',
    ],
    [
      'with an offset of its own, whatever the zone',
      { until: '2027-06-01T12:00+02:00', timeZone: 'Asia/Kolkata' },
      '2027-06-01T10:00:00.000Z',
    ],
    ['that is past, at once', { until: '2026-12-31T23:59', timeZone: 'Europe/Paris' }, '2027-01-01T00:00:00.000Z'],
  ])('a local time %s', async (_, config, expected) => {
    expect(await wakes('2027-01-01T00:00:00Z', config)).toEqual([expected]);
  });
});

describe('H11: cron patterns', () => {
  test.each<[string, string, Config, string[]]>([
    ['the next Monday, 9:00', '2027-01-01T00:00:00Z', { cron: '0 9 * * MON' }, ['2027-01-04T09:00:00.000Z']],
    [
      'the next morning in New York',
      '2027-01-01T14:00:00Z',
      { cron: '0 9 * * *', timeZone: 'America/New_York' },
      ['2027-01-02T14:00:00.000Z'],
    ],
    [
      'a skipped time',
      '2027-03-27T12:00:00Z',
      { cron: '30 2 * * *', timeZone: 'Europe/Paris' },
      ['2027-03-28T01:00:00.000Z'],
    ],
    ['the next leap day', '2027-01-01T00:00:00Z', { cron: '0 0 29 2 *' }, ['2028-02-29T00:00:00.000Z']],
  ])('%s', async (_, start, config, expected) => {
    expect(await wakes(start, config)).toEqual(expected);
  });

  test('two delays of one pattern wake at two firings', async () => {
    const config = { cron: '0 9 * * *', timeZone: 'Europe/Paris' };
    expect(await wakes('2027-01-01T00:00:00Z', config, config)).toEqual([
      '2027-01-01T08:00:00.000Z',
      '2027-01-02T08:00:00.000Z',
    ]);
  });
});

describe('H11: working time', () => {
  test.each<[string, string, Config, string]>([
    ['hours over a weekend', '2027-01-08T10:00:00Z', { duration: '2h' }, '2027-01-11T09:00:00.000Z'],
    ['milliseconds', '2027-01-04T10:30:00Z', { delayMs: 3_600_000 }, '2027-01-04T12:30:00.000Z'],
    ['no time at all', '2027-01-09T12:00:00Z', { duration: '0s' }, '2027-01-09T12:00:00.000Z'],
    [
      'a moment at night, to the next opening',
      '2027-01-01T00:00:00Z',
      { until: '2027-01-04T22:00Z' },
      '2027-01-05T08:00:00.000Z',
    ],
    [
      'a moment in working time, to itself',
      '2027-01-01T00:00:00Z',
      { until: '2027-01-04T11:00', timeZone: 'Europe/Paris' },
      '2027-01-04T10:00:00.000Z',
    ],
    [
      'a moment that is past, to now or the next opening',
      '2027-01-04T10:00:00Z',
      { until: '2027-01-04T02:00Z' },
      '2027-01-04T10:00:00.000Z',
    ],
    [
      'a firing on a Sunday, to Monday',
      '2027-01-08T12:00:00Z',
      { cron: '0 9 * * SUN', timeZone: 'Europe/Paris' },
      '2027-01-11T08:00:00.000Z',
    ],
    ['a month, to the next opening', '2026-12-09T12:00:00Z', { duration: 'P1M' }, '2027-01-11T08:00:00.000Z'],
  ])('%s', async (_, start, config, expected) => {
    expect(await wakes(start, { ...config, calendar: 'office' })).toEqual([expected]);
  });

  test('a calendar that there is not is an error of the node, which a catch can take', async () => {
    const node = { id: 'nap', type: 'delay', config: { duration: '2h', calendar: 'offce' } } as const;
    const failed = await played({ id: 'h11', nodes: [node] });
    expect(failed).toMatchObject({ state: 'failed', error: { type: 'CALENDAR_NOT_FOUND', nodeId: 'nap' } });
    expect(failed.error?.message).toContain('there is no calendar "offce"');
    const caught = await played({
      id: 'h11',
      nodes: [
        { ...node, catch: [{ errors: ['CALENDAR_NOT_FOUND'], nextNodeId: 'done' }] },
        { id: 'done', type: 'end' },
      ],
    });
    expect(caught.state).toBe('completed');
  });
});

test('zone, pattern and calendar may come from the run', async () => {
  const config = { cron: '${input.cron}', timeZone: '${input.zone}', calendar: '${input.calendar}' };
  const input = { cron: '0 6 * * *', zone: 'America/New_York', calendar: 'office' };
  const { trace } = await played(napping(config), { input, start: '2027-01-08T12:00:00Z' });
  expect(trace[0]?.finishedAt).toBe('2027-01-11T08:00:00.000Z');
});

test('while it waits, a run shows when it wakes', async () => {
  const story: RunRecord[] = [];
  const config = { until: '2027-01-31T12:00', timeZone: 'Europe/Paris' };
  await simulate(napping(config), { onRecord: (line) => story.push(line) });
  const waits = story.flatMap((line) => (line.kind === 'wait' && line.open ? [line.waiting] : []));
  expect(waits).toMatchObject([
    { nodeId: 'nap1', kind: 'delay', until: Date.parse('2027-01-31T11:00Z'), for: 'the time 2027-01-31T11:00:00.000Z' },
  ]);
});

test.each(['0s', '1d'])('a cancel after %s ends the delay as cancelled', async (after) => {
  const config = { until: '2027-01-31T12:00', timeZone: 'Europe/Paris' };
  const document = await played(napping(config), { mocks: { cancels: [{ after, reason: 'enough' }] } });
  expect(document).toMatchObject({ state: 'cancelled', error: { type: 'CANCELLED', message: 'Cancelled: enough' } });
});

test.each<[string, { [field: string]: Json }, string]>([
  ['a zone', { until: '2027-06-01T12:00', timeZone: 'Mars/Phobos' }, '"Mars/Phobos"'],
  ['a zone that is no text', { until: '2027-06-01T12:00', timeZone: 7 }, '7'],
  ['a pattern', { cron: 'every day' }, '"every day"'],
  ['a pattern that never fires', { cron: '0 0 30 2 *' }, '"0 0 30 2 *"'],
  ['a local time', { until: 'next tuesday' }, '"next tuesday"'],
  ['a moment of null', { until: null }, 'null'],
  ['a day that there is not', { until: '2027-02-29T12:00' }, '"2027-02-29T12:00"'],
  ['a period', { duration: 'P1X' }, '"P1X"'],
  ['a negative period', { duration: 'P-1M' }, '"P-1M"'],
  ['a length', { delayMs: -5 }, '-5'],
  ['a calendar that is no text', { delayMs: 5, calendar: null }, 'null'],
])('%s that means none is an error of the node that shows it', async (_, values, shown) => {
  const config = Object.fromEntries(Object.keys(values).map((field) => [field, `\${input.${field}}`])) as Config;
  const document = await played(napping(config), { input: values });
  expect(document).toMatchObject({ state: 'failed', error: { type: 'EXPRESSION_ERROR', nodeId: 'nap1' } });
  expect(document.error?.message).toContain(shown);
});

test.each<[string, string, number]>([
  ['a zone', '{ cron: "0 9 * * 1",\n timeZone: Mars/Phobos }', 3],
  ['a pattern', '{ timeZone: UTC,\n cron: "0 25 * * *" }', 3],
  ['a pattern that never fires', '{ cron: "0 0 31 6 *" }', 2],
  ['a moment', '{ until: 2027-02-30T12:00 }', 2],
  ['a moment of null', '{ until: null }', 2],
  ['a period', '{ timeZone: UTC,\n duration: P1X }', 3],
  ['a negative length', '{ delayMs: -5 }', 2],
  ['a calendar name', '{ delayMs: 5,\n calendar: "the office" }', 3],
])('%s that means none is refused at its line when a definition says it outright', (_, config, line) => {
  const text = `id: h11\nnodes: [{ id: nap, type: delay, config: ${config} }]\n`;
  const { definition, issues } = parseDefinition(text);
  expect(definition).toBeNull();
  expect(issues.map((issue) => issue.line)).toEqual([line]);
});

test('a calendar that is not stored is a warning where it is known which are', () => {
  const definition = napping({ duration: '2h', calendar: 'offce' }, { duration: '2h', calendar: '${input.calendar}' });
  expect(checkDefinition(definition, { calendars: ['office'] }).issues).toMatchObject([
    { code: 'definition.unknown_calendar', severity: 'warning', path: '/nodes/0/config/calendar' },
  ]);
  expect(checkDefinition(definition, { calendars: ['offce'] }).issues).toEqual([]);
  expect(checkDefinition(definition).issues).toEqual([]);
});
