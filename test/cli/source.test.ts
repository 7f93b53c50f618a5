import { expect, test } from 'vitest';
import { callCli, folderWith } from './call-cli.ts';
import { LEAD } from './definitions.ts';

test('`source` prints the TypeScript of a definition', async () => {
  const cwd = folderWith({ 'lead.json': JSON.stringify(LEAD) });
  const { exit, stdout } = await callCli(['source', 'lead.json'], { cwd });
  expect(exit).toBe(0);
  expect(stdout).toContain('import { define');
  expect(stdout).toContain(`export default define('${LEAD.id}'`);
  expect(stdout.endsWith('.build();\n')).toBe(true);

  const asJson = await callCli(['source', 'lead.json', '--json'], { cwd });
  expect(asJson.document()).toEqual({ definitionId: LEAD.id, source: stdout });
});

test('`source` refuses what is not valid, with its faults', async () => {
  const { exit, stderr } = await callCli(['source', '-'], { stdin: '{ "id": "a", "nodes": [] }' });
  expect(exit).toBe(1);
  expect(stderr).toContain('at least one node is needed');
});
