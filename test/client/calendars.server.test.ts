import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { OFFICE } from '../time/calendars.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
beforeAll(async () => {
  bench = await startClientBench({ commands: [] });
});
afterAll(() => bench.stop());

const napping = (calendar: string): Definition => ({
  id: `nap-${calendar}`,
  nodes: [{ id: 'nap', type: 'delay', config: { duration: '0s', calendar } }],
});

test('a calendar is put as a value or a text, and got back', async () => {
  const { calendars } = bench.fermata;
  expect(await calendars.put(OFFICE)).toEqual({ name: 'office', version: 1, created: true });
  expect(await calendars.put('name: shop\ntimeZone: UTC\nweek: { saturday: ["10:00-18:00"] }')).toMatchObject({
    name: 'shop',
  });
  expect(await calendars.get('office')).toMatchObject({ version: 1, document: OFFICE });
  expect((await calendars.list()).map(({ name }) => name)).toEqual(['office', 'shop']);
});

test('wrong calendars and arguments are refused by name', async () => {
  const { calendars } = bench.fermata;
  await expect(calendars.put({ ...OFFICE, timeZone: 'Mars/Phobos' })).rejects.toMatchObject({
    code: 'calendar.invalid',
    details: { issues: [{ path: '/timeZone' }] },
  });
  await expect(calendars.get('nowhere')).rejects.toMatchObject({ code: 'calendar.not_found' });
  await expect(calendars.get('office', 0)).rejects.toThrow('calendars.get: version');
});

test('publishing warns of a calendar that is not stored, and a run with one that is goes on', async () => {
  const { definitions, runs } = bench.fermata;
  const { warnings } = await definitions.publish(napping('nowhere'));
  expect(warnings).toMatchObject([{ code: 'definition.unknown_calendar', nodeId: 'nap' }]);
  expect((await definitions.publish(napping('office'))).warnings).toEqual([]);
  const run = await runs.start('nap-office');
  expect(await run.result()).toBeNull();
  const lost = await runs.start('nap-nowhere');
  await expect(lost.result()).rejects.toMatchObject({ code: 'run.failed' });
});
