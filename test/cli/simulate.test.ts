import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/index.ts';
import { callCli, folderWith } from './call-cli.ts';
import { FAILING, LEAD, LEAD_CREATED, LEAD_MOCKS } from './definitions.ts';

const leadFolder = () =>
  folderWith({ 'lead.json': LEAD, 'created.json': LEAD_CREATED, 'mocks.yaml': LEAD_MOCKS, 'failing.json': FAILING });
const withEvent = ['simulate', 'lead.json', '--event', '@created.json'];

describe('fermata simulate', () => {
  test('with --json prints the document of the run and nothing else', async () => {
    const called = await callCli([...withEvent, '--mocks', 'mocks.yaml', '--json'], { cwd: leadFolder() });
    const run = called.document<RunDocument>();
    expect({ exit: called.exit, stderr: called.stderr }).toEqual({ exit: 0, stderr: '' });
    expect(run).toMatchObject({
      runId: 'facebook-lead-onboarding/e1',
      version: null,
      state: 'completed',
      startedAt: '2027-01-01T00:00:00.000Z',
      completedAt: '2027-01-01T02:00:03.000Z',
    });
    expect(run.trace.map(({ nodeId }) => nodeId)).toEqual(['check_size', 'assign', 'wait', 'sms']);
    expect(run.commands.at(-1)?.command.payload).toEqual({ to: '+1', owner: 'o7' });
  });

  test('tells people the state, every visit and every command', async () => {
    const { exit, stdout } = await callCli([...withEvent, '--mocks', 'mocks.yaml'], { cwd: leadFolder() });
    expect(exit).toBe(0);
    expect(stdout).toContain('state       completed');
    expect(stdout).toContain('ended       2027-01-01 02:00:03Z (after 2h 3s)');
    expect(stdout).toMatch(/^\+3s {5}wait {8}delay {6}success {2}2h$/m);
    expect(stdout).toMatch(/^assign_lead {2}assign {2}success {2}1 .*"ownerId":"o7"/m);
  });

  test('starts at --start and takes input in place', async () => {
    const cwd = folderWith({
      'order.yaml': 'id: order\noutput: "${input.total}"\nnodes: [{ id: a, type: assign, config: { vars: {} } }]\n',
    });
    const argv = ['simulate', 'order.yaml', '--input', '{"total":90}', '--start', '2030-02-03T04:05:06Z', '--json'];
    const called = await callCli(argv, { cwd });
    expect(called.document()).toMatchObject({ output: 90, startedAt: '2030-02-03T04:05:06.000Z' });
  });

  test('prints a run that ended failed, and exits 1', async () => {
    const called = await callCli(['simulate', 'failing.json', '--json'], { cwd: leadFolder() });
    expect(called.exit).toBe(1);
    expect(called.document()).toMatchObject({ state: 'failed', error: { type: 'SOLD_OUT' } });
  });

  test('refuses an event that a filter does not take, with exit 1', async () => {
    const event = JSON.stringify({ ...LEAD_CREATED, data: { ...LEAD_CREATED.data, source: 'Google' } });
    const called = await callCli(['simulate', 'lead.json', '--event', event, '--json'], { cwd: leadFolder() });
    expect(called.exit).toBe(1);
    expect(called.document()).toMatchObject({ error: { code: 'event.not_matched', details: { reason: {} } } });
  });

  test.each([
    ['--event', '{"data":{"id":12345678901234567890}}', '/data/id'],
    ['--input', '{"list":[1e999]}', '/list/0'],
    ['--input', '{"a":1,"a":2}', '/a'],
  ])('refuses numbers and keys that JSON.parse would change: %s %s', async (option, json, path) => {
    const called = await callCli(['simulate', 'failing.json', option, json, '--json'], { cwd: leadFolder() });
    expect(called.exit).toBe(1);
    expect(called.document()).toMatchObject({ error: { code: 'json.invalid', details: { path, source: option } } });
  });

  test('shows the faults of a definition that is not valid with their places', async () => {
    const cwd = folderWith({ 'bad.json': '{\n  "id": "bad",\n  "nodes": []\n}' });
    const { exit, stdout, stderr } = await callCli(['simulate', 'bad.json'], { cwd });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('bad.json:3:3 error definition.no_nodes');
    expect(stderr).toContain('error bad.json is not valid: 1 error (definition.invalid)');
    expect(stderr).toContain('what to do: ');
  });

  test('names the mocks file in a refusal of it', async () => {
    const cwd = folderWith({ 'failing.json': FAILING, 'mocks.yaml': 'comands: {}\n' });
    const called = await callCli(['simulate', 'failing.json', '--mocks', 'mocks.yaml', '--json'], { cwd });
    expect(called.document()).toMatchObject({
      error: { code: 'mocks.invalid', message: expect.stringMatching(/^mocks\.yaml: .*comands/) },
    });
  });

  test('says which mocks did nothing', async () => {
    const ask = { id: 'ask', type: 'approval', config: { title: 'Go?', assignees: { users: ['ann'] }, timeout: '1d' } };
    const by = { id: 'ann' };
    const decisions = [
      { nodeId: 'ask', outcome: 'approved', by: { id: 'eve' } },
      { nodeId: 'aks', outcome: 'approved', by },
      { after: '1h', nodeId: 'ask', outcome: 'approved', by },
    ];
    const mocks = { commands: { chrge: { output: {} } }, decisions };
    const cwd = folderWith({ 'ask.json': { id: 'ask', nodes: [ask] }, 'mocks.json': mocks });
    const { exit, stderr } = await callCli(['simulate', 'ask.json', '--mocks', 'mocks.json'], { cwd });
    expect(exit).toBe(0);
    expect(stderr).toContain('mocks no node orders the command "chrge"');
    expect(stderr).toContain('"approved" by eve does not count (not_assignee)');
    expect(stderr).toContain('There is no approval node aks');
    expect(stderr.trim().split('\n')).toHaveLength(3);
  });

  test('walks the runs that a run begins where their definitions are given, and names them', async () => {
    const ship = { id: 'ship', type: 'workflow', config: { definitionId: 'shipping', input: '${input}' } };
    const pack = { id: 'pack', type: 'action', config: { command: 'pack' } };
    const cwd = folderWith({
      'order.json': { id: 'order', nodes: [ship] },
      'shipping.json': { id: 'shipping', nodes: [pack] },
      'mocks.json': { commands: { pack: { output: 'P1' }, pak: {} }, workflows: { shiping: {} } },
    });
    const argv = ['simulate', 'order.json', '--input', '{}', '--mocks', 'mocks.json'];
    const alone = await callCli(argv, { cwd });
    expect(alone.exit).toBe(1);
    expect(alone.stderr).toContain('begins a run of "shipping", and nothing says what that does');
    const { exit, stdout, stderr } = await callCli([...argv, '--definitions', 'shipping.json'], { cwd });
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^ship {6}shipping\/order:simulation:ship:1 {2}shipping {2}completed$/m);
    expect(stderr).toContain('mocks no node orders the command "pak"');
    expect(stderr).toContain('mocks no node begins a run of "shiping"');
  });

  test('shows control characters of data instead of obeying them', async () => {
    const cwd = folderWith({ 'lead.json': LEAD });
    const event = JSON.stringify({ ...LEAD_CREATED, data: { ...LEAD_CREATED.data, id: 'L1', phone: '\u009b2J' } });
    const { stdout } = await callCli(['simulate', 'lead.json', '--event', event], { cwd });
    expect(stdout).not.toContain('\u009b');
  });
});
