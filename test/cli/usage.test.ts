import { describe, expect, test } from 'vitest';
import { calledAs } from '../../cli/called-as.ts';
import { callCli, callProcess, folderWith, spawnCli } from './call-cli.ts';
import { LEAD } from './definitions.ts';

/** Processes compile the source when they start, and the machine may be busy. */
const PROCESS_MS = 60_000;

describe('fermata', () => {
  test('alone, as help and as --help prints the same help and exits 0', async () => {
    const [alone, help, option] = await Promise.all([callCli([]), callCli(['help']), callCli(['--help'])]);
    expect(alone.exit).toBe(0);
    expect(alone.stdout).toContain('Usage: fermata');
    expect(help).toMatchObject({ exit: 0, stdout: alone.stdout });
    expect(option).toMatchObject({ exit: 0, stdout: alone.stdout });
  });

  test('help of a verb is its --help, with examples', async () => {
    const { exit, stdout } = await callCli(['help', 'validate']);
    expect(exit).toBe(0);
    expect(stdout).toContain('Usage: fermata validate [options] <file...>');
    expect(stdout).toContain('Examples:');
  });

  test('--version prints the version of the package', async () => {
    expect(await callCli(['--version'])).toMatchObject({ exit: 0, stdout: '0.1.0\n' });
  });

  test.each([
    [['simulte', 'x.json'], "unknown command 'simulte' (Did you mean simulate?)"],
    [['simulate', 'x.json', '--evnt', '{}'], "unknown option '--evnt' (Did you mean --event?)"],
    [['simulate'], "missing required argument 'file'"],
    [['simulate', 'x.json', 'y.json'], 'too many arguments'],
  ])('wrong use exits 2 and says what is wrong: %j', async (argv, message) => {
    const people = await callCli(argv);
    expect(people).toMatchObject({ exit: 2, stdout: '' });
    expect(people.stderr).toContain(message);
    expect(people.stderr).toMatch(/Read the help: fermata( simulate)? --help/);
    const json = await callCli([...argv, '--json']);
    expect(json).toMatchObject({ exit: 2, stderr: '' });
    expect(json.document()).toMatchObject({
      error: { code: 'usage.invalid', message: expect.stringContaining(message) },
    });
  });

  test('a noun without a verb names its verbs', async () => {
    const { exit, stderr } = await callCli(['runs']);
    expect(exit).toBe(2);
    expect(stderr).toContain('`fermata runs` needs a verb: start, list, show, result, watch, cancel');
  });

  test.each([
    [['runs', '--json'], '`fermata runs` needs a verb: start,'],
    [['--json'], '`fermata` needs a verb: validate,'],
  ])('so it does under --json: %j', async (argv, message) => {
    const called = await callCli(argv);
    expect(called).toMatchObject({ exit: 2, stderr: '' });
    expect(called.document()).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });

  test('a verb of a later release says so, and what to do instead', async () => {
    const called = await callCli(['runs', 'pause', 'order/1', '--json']);
    expect(called.exit).toBe(2);
    expect(called.document()).toMatchObject({
      error: {
        code: 'usage.invalid',
        message: '`fermata runs pause` is not in this release',
        details: { remedy: expect.stringContaining('fermata runs cancel') },
      },
    });
    expect((await callCli(['runs', '--help'])).stdout).not.toContain('pause');
  });

  test.each([
    ['fermata', 'npm run -s fermata -- '],
    ['npx', 'npx fermata '],
    ['test', 'fermata '],
  ])('what to type next is written as the command was called, by npm as %s', (event, called) => {
    expect(`${calledAs({ env: { npm_lifecycle_event: event } })} `).toBe(called);
  });

  test('without servers, a verb that needs them says how to have some', async () => {
    const { exit, stderr } = await callCli(['runs', 'list'], { cwd: folderWith({}) });
    expect(exit).toBe(1);
    expect(stderr).toContain(
      'what to do: Start `fermata dev` in another terminal, or set TEMPORAL_ADDRESS and DATABASE_URL.',
    );
  });

  test.each([
    [['definitions', 'activate', 'order', 'two'], 'It must be a whole number from 1.'],
    [['runs', 'list', '--state', 'asleep'], 'Allowed choices are pending, running'],
    [['runs', 'result', 'order/1', '--timeout', 'soon'], 'It must be a duration such as 500ms, 30s or 2h.'],
    [['approvals', 'decide', 'order/1/a/1', '--outcome', 'approved'], "required option '--by <person>' not specified"],
    [['events', 'publish', '--data', '{}'], 'the event has no type'],
  ])('values of the wrong form are refused before anything is asked: %j', async (argv, message) => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const { exit, stderr } = await callCli(argv, { env, cwd: folderWith({}) });
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });

  test('as a process: exit code, one document on standard output, no colours', { timeout: PROCESS_MS }, async () => {
    const cwd = folderWith({ 'lead.json': LEAD, 'bad.json': '{ "id": "bad", "nodes": [] }' });
    const [good, bad] = await Promise.all([
      callProcess(['validate', 'lead.json'], { cwd }),
      callProcess(['validate', '-', '--json'], { cwd, stdin: '{ "id": "bad", "nodes": [] }' }),
    ]);
    expect(good).toMatchObject({ exit: 0, stdout: '', stderr: 'lead.json: valid\n' });
    expect(bad.exit).toBe(1);
    expect(bad.document()).toMatchObject({ valid: false });
  });

  test('as a process: a reader that goes away early is no fault', { timeout: PROCESS_MS }, async () => {
    const child = spawnCli(['--help']);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdout.destroy();
    child.stdin.end();
    const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });
});
