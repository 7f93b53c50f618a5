import { describe, expect, test } from 'vitest';
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
