import { expect, test } from 'vitest';
import { OFFICE } from '../time/calendars.ts';
import { callCli, folderWith } from './call-cli.ts';

const NAP = { id: 'nap', nodes: [{ id: 'nap', type: 'delay', config: { duration: '2h', calendar: 'office' } }] };
const cwd = () => folderWith({ 'nap.json': NAP, 'office.json': OFFICE, 'wrong.yaml': 'name: office\nweek: {}\n' });
const simulated = ['simulate', 'nap.json', '--start', '2027-01-08T10:00:00Z', '--json'];

test('simulate counts on the calendars that it is given', async () => {
  const called = await callCli([...simulated, '--calendars', 'office.json'], { cwd: cwd() });
  expect(called.document()).toMatchObject({ state: 'completed', completedAt: '2027-01-11T09:00:00.000Z' });
});

test('simulate without the calendar ends failed, and says what is missing', async () => {
  const called = await callCli(simulated, { cwd: cwd() });
  expect(called.exit).toBe(1);
  expect(called.document()).toMatchObject({ state: 'failed', error: { type: 'CALENDAR_NOT_FOUND', nodeId: 'nap' } });
});

test.each([[[...simulated, '--calendars', 'wrong.yaml']], [['calendars', 'put', 'wrong.yaml', '--json']]])(
  'a calendar file with faults is refused before anything else, with its name and all places: %j',
  async (argv) => {
    const called = await callCli(argv, { cwd: cwd() });
    expect(called.exit).toBe(1);
    const { error } = called.document<{ error: { code: string; message: string; details: { issues: unknown } } }>();
    expect(error.code).toBe('calendar.invalid');
    expect(error.message).toContain('wrong.yaml: ');
    expect(error.details.issues).toMatchObject([{ path: '/timeZone' }]);
  },
);

test.each([[['calendars', 'show', 'office']], [['definitions', 'show', 'order']], [['runs', 'start', 'order']]])(
  "--version behind %j is the verb's own",
  async (verb) => {
    const called = await callCli([...verb, '--version', 'newest']);
    expect(called).toMatchObject({ exit: 2, stdout: '' });
    expect(called.stderr).toContain('--version');
  },
);
