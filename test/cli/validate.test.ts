import { describe, expect, test } from 'vitest';
import type { Issue } from '../../definitions/index.ts';
import { callCli, folderWith } from './call-cli.ts';
import { LEAD } from './definitions.ts';

interface Validation {
  readonly valid: boolean;
  readonly issues: readonly Issue[];
}

const BROKEN = `id: broken
nodes:
  - id: first
    type: delay
    config: { duration: 2h }
    nextNodeId: nowhere
`;

const SCHEDULED = {
  id: 'nightly',
  trigger: { schedule: { cron: '0 0 * * *' } },
  nodes: [{ id: 'x', type: 'assign', config: { vars: {} } }],
};

describe('fermata validate', () => {
  test('says of a valid file that it is valid, on standard error, and exits 0', async () => {
    const cwd = folderWith({ 'lead.json': LEAD });
    const { exit, stdout, stderr } = await callCli(['validate', 'lead.json'], { cwd });
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: '', stderr: 'lead.json: valid\n' });
  });

  test('prints each fault as file:line:column severity code message, and exits 1', async () => {
    const cwd = folderWith({ 'broken.yaml': BROKEN });
    const { exit, stdout, stderr } = await callCli(['validate', 'broken.yaml'], { cwd });
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^broken\.yaml:6:5 error definition\.unknown_node .*nowhere.*\n$/);
    expect(stderr).toBe('broken.yaml: 1 error\n');
  });

  test('with --json prints { valid, issues } with file, line and column', async () => {
    const cwd = folderWith({ 'broken.yaml': BROKEN, 'lead.json': LEAD });
    const called = await callCli(['validate', 'lead.json', 'broken.yaml', '--json'], { cwd });
    expect(called.exit).toBe(1);
    expect(called.stderr).toBe('');
    expect(called.document<Validation>()).toEqual({
      valid: false,
      issues: [
        {
          code: 'definition.unknown_node',
          severity: 'error',
          path: '/nodes/0/nextNodeId',
          nodeId: 'first',
          file: 'broken.yaml',
          line: 6,
          column: 5,
          message: expect.stringContaining('nowhere'),
        },
      ],
    });
  });

  test('reads standard input under the name -', async () => {
    const called = await callCli(['validate', '-', '--json'], { stdin: BROKEN });
    expect(called.document<Validation>().issues[0]?.file).toBe('<stdin>');
  });

  test('takes what the language allows and this release does not run as valid, with a warning', async () => {
    const cwd = folderWith({ 'nightly.json': SCHEDULED });
    const called = await callCli(['validate', 'nightly.json', '--json'], { cwd });
    const { valid, issues } = called.document<Validation>();
    expect({ exit: called.exit, valid }).toEqual({ exit: 0, valid: true });
    expect(issues.map(({ code, severity }) => ({ code, severity }))).toContainEqual({
      code: 'definition.unsupported',
      severity: 'warning',
    });
  });

  test('names a syntax fault by its place', async () => {
    const cwd = folderWith({ 'cut.json': '{ "id": "cut",\n  "nodes": [' });
    const called = await callCli(['validate', 'cut.json', '--json'], { cwd });
    expect(called.document<Validation>().issues).toMatchObject([
      { code: 'definition.syntax', file: 'cut.json', line: 2 },
    ]);
  });

  test('refuses a file that is not there, or is code, as wrong use', async () => {
    const missing = await callCli(['validate', 'nothing.json', '--json'], { cwd: folderWith({}) });
    expect(missing.exit).toBe(2);
    expect(missing.document()).toMatchObject({
      error: { code: 'usage.invalid', message: 'nothing.json cannot be read: there is no such file' },
    });
    const code = await callCli(['validate', 'definition.ts'], { cwd: folderWith({}) });
    expect(code.exit).toBe(2);
    expect(code.stderr).toContain('definition.ts is code; definitions are JSON or YAML files');
  });
});
