import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Issue } from '../../definitions/index.ts';
import { callCli, folderWith } from './call-cli.ts';

const COMMANDS = fileURLToPath(new URL('fixtures/commands.ts', import.meta.url));

const CLASS_FORM = `export class MailHandler {
  canHandle(type) { return type === 'mail'; }
  execute() { return { success: true }; }
}`;

const USES = (command: string, payload: object) => ({
  id: 'greeting',
  nodes: [{ id: 'hello', type: 'action', config: { command, payload } }],
});

describe('handler modules', () => {
  test('exports, alone and in lists, are what definitions are checked against', async () => {
    const cwd = folderWith({
      'good.json': USES('greet', { name: 'Ann' }),
      'list.json': USES('refund', {}),
      'unknown.json': USES('wave', {}),
      'wrong.json': USES('greet', { name: 7 }),
    });
    const validate = (file: string) => callCli(['validate', file, '--commands', COMMANDS, '--json'], { cwd });
    expect(await validate('good.json')).toMatchObject({ exit: 0 });
    expect(await validate('list.json')).toMatchObject({ exit: 0 });
    const unknown = await validate('unknown.json');
    expect(unknown.exit).toBe(1);
    expect(unknown.document<{ issues: Issue[] }>().issues).toMatchObject([{ nodeId: 'hello', severity: 'error' }]);
    expect((await validate('wrong.json')).exit).toBe(1);
  });

  test('their retry policies apply in a simulation', async () => {
    const cwd = folderWith({
      'greeting.json': USES('greet', { name: 'Ann' }),
      'mocks.yaml': 'commands: { greet: { error: { type: BUSY, message: later } } }',
    });
    const argv = ['simulate', 'greeting.json', '--mocks', 'mocks.yaml', '--json', '--commands', COMMANDS];
    const called = await callCli(argv, { cwd });
    expect(called.document()).toMatchObject({ state: 'failed', commands: [{ attempts: 7 }] });
  });

  test.each([
    ['it throws', `throw new Error('no licence found');`, 'given.mjs cannot be loaded: no licence found'],
    ['it does not parse', 'export const = 3;', 'given.mjs cannot be loaded: '],
    ['it exports a class without the adapter', CLASS_FORM, 'The export MailHandler of given.mjs has canHandle'],
    ['it exports no handler', 'export const limit = 3;', 'given.mjs exports no handler'],
  ])('are refused by name where %s', async (_case, code, message) => {
    const cwd = folderWith({ 'greeting.json': USES('greet', {}), 'given.mjs': code });
    const called = await callCli(['validate', 'greeting.json', '--commands', 'given.mjs', '--json'], { cwd });
    expect(called.exit).toBe(1);
    expect(called.document()).toMatchObject({
      error: {
        code: 'handler.invalid',
        message: expect.stringContaining(message),
        details: { file: 'given.mjs' },
      },
    });
  });
});
