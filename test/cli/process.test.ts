/** The command as a process, with handler modules that misbehave. */
import { expect, test } from 'vitest';
import { callProcess, folderWith } from './call-cli.ts';

const HANDLERS = new URL('fixtures/commands.ts', import.meta.url).href;

test.each([
  ['leaves a timer running', 'setInterval(() => {}, 1000);', 0, { valid: true }],
  ['talks on standard output', "console.log('hello');", 0, { valid: true }],
  ['ends the process', 'process.exit(0);', 1, { error: { code: 'handler.invalid' } }],
  ['never finishes loading', 'await new Promise(() => {});', 1, { error: { code: 'handler.invalid' } }],
])(
  'a handler module that %s: the command ends with one JSON document',
  async (_, text, exit, document) => {
    const cwd = folderWith({
      'end.json': { id: 'end', nodes: [{ id: 'n', type: 'end' }] },
      'commands.ts': `export * from ${JSON.stringify(HANDLERS)};\n${text}\n`,
    });
    const outcome = await callProcess(['validate', 'end.json', '--commands', 'commands.ts', '--json'], { cwd });
    expect(outcome.exit).toBe(exit);
    expect(outcome.document()).toMatchObject(document);
  },
  60_000,
);
