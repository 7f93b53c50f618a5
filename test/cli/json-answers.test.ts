/** Every verb under `--json`: one document on standard output, its own or `{ "error": … }`, whatever it is called with. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { processIo } from '../../cli/io.ts';
import { createProgram } from '../../cli/program.ts';
import { callCli, folderWith } from './call-cli.ts';
import { LEAD } from './definitions.ts';

const verbs = leavesOf(createProgram({ io: processIo(), exit: 0 }));

interface Verb {
  readonly words: readonly string[];
  readonly command: Command;
}

function leavesOf(command: Command, words: readonly string[] = []): Verb[] {
  const inner = command.commands.filter((one) => one.name() !== 'help' && !isHidden(one));
  if (inner.length === 0) return [{ words, command }];
  return inner.flatMap((one) => leavesOf(one, [...words, one.name()]));
}

/** Verbs of a later release. */
function isHidden(command: Command): boolean {
  return (command as Command & { readonly _hidden?: boolean })._hidden === true;
}

const ids = (command: Command) => command.registeredArguments.map((_, index) => String(index + 1));
const needed = (command: Command) =>
  command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', 'x']);

describe.each(verbs.map(({ words, command }) => [words.join(' '), { words, command }] as const))(
  '%s',
  (_name, verb) => {
    const { words, command } = verb;

    test('refuses an option that it does not have', async () => {
      const called = await callCli([...words, ...ids(command), '--no-such-option', '--json']);
      expect(called).toMatchObject({ exit: 2, stderr: '' });
      expect(called.document()).toMatchObject({ error: { code: 'usage.invalid' } });
    });

    test.runIf(command.registeredArguments.some(({ required }) => required))(
      'refuses to go without its arguments',
      async () => {
        const called = await callCli([...words, '--json']);
        expect(called).toMatchObject({ exit: 2, stderr: '' });
        expect(called.document()).toMatchObject({ error: { code: 'usage.invalid' } });
      },
    );

    test.runIf(command.options.some(({ long }) => long === '--database'))(
      'says so when PostgreSQL is not there',
      async () => {
        const cwd = folderWith({ '1': LEAD });
        const servers = [
          '--database',
          'postgres://n@127.0.0.1:1/none',
          '--temporal',
          '127.0.0.1:1',
          '--connect-timeout',
          '200ms',
        ];
        const called = await callCli([...words, ...ids(command), ...needed(command), ...servers, '--json'], { cwd });
        expect(called.exit).toBeGreaterThan(0);
        expect(called.document()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
      },
    );
  },
);

test.each([
  [['simulate', 'absent.json'], 'there is no such file'],
  [['simulate', '.'], 'it is a folder'],
  [['simulate', 'huge.json'], 'bytes'],
  [['simulate', 'lead.json', '--event', '-'], '<stdin> is empty'],
  [['simulate', 'lead.json', '--event', '@lead.json', '--mocks', 'absent.json'], 'there is no such file'],
  [['events', 'publish', '-'], '<stdin> is empty'],
  [['events', 'publish', '--type', 'a', '--data', '-'], '<stdin> is empty'],
  [['runs', 'start', 'x', '--input', '@absent.json'], 'there is no such file'],
  [['definitions', 'publish', 'absent.json'], 'there is no such file'],
])('what cannot be read is refused by name: %j', async (argv, message) => {
  const cwd = folderWith({ 'lead.json': LEAD });
  writeFileSync(join(cwd, 'huge.json'), '');
  truncateSync(join(cwd, 'huge.json'), 2 ** 30);
  const called = await callCli([...argv, '--json'], { cwd, stdin: '' });
  expect(called.exit).toBeGreaterThan(0);
  expect(called.document()).toMatchObject({ error: { message: expect.stringContaining(message) } });
});
