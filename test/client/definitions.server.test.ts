import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/define-command.ts';
import type { Definition } from '../../definitions/types.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const mail = defineCommand({
  type: 'mail',
  version: 2,
  input: z.object({ to: z.string() }),
  output: z.object({ id: z.string() }),
  retry: { maxAttempts: 7 },
  timeout: '9s',
  execute: async () => ({ id: 'm-1' }),
});
beforeAll(async () => {
  bench = await startClientBench({ commands: [mail] });
});
afterAll(() => bench.stop());

const mailing = (id: string, more: Partial<Definition> = {}): Definition => ({
  id,
  nodes: [{ id: 'send', type: 'action', config: { command: 'mail', payload: { to: 'ann@example.com' } } }],
  ...more,
});

describe('publish', () => {
  it('makes the next version of other content, and none of the same', async () => {
    const { definitions } = bench.fermata;
    expect(await definitions.publish(mailing('a'))).toMatchObject({ id: 'a', version: 1, created: true, active: true });
    expect(await definitions.publish(mailing('a'))).toMatchObject({ version: 1, created: false });
    expect(await definitions.publish(mailing('a', { name: 'A' }), { activate: false })).toMatchObject({
      version: 2,
      created: true,
      active: false,
    });
    expect(await definitions.show('a')).toMatchObject({ version: 1, activeVersion: 1, enabled: true });
    expect((await definitions.versions('a')).map((row) => row.version)).toEqual([1, 2]);
    await definitions.activate('a', 2);
    expect(await definitions.show('a')).toMatchObject({ version: 2, document: { name: 'A' } });
    expect((await definitions.list()).find((row) => row.id === 'a')).toMatchObject({ name: 'A', activeVersion: 2 });
  });

  it('stamps what workers have reported of the handlers', async () => {
    const { definitions } = bench.fermata;
    await definitions.publish(mailing('stamped'));
    expect((await definitions.show('stamped')).bindings).toEqual({
      mail: { version: 2, retry: { maxAttempts: 7 }, timeout: '9s', hasRollback: false },
    });
  });

  it('takes the text of a file, JSON or YAML, and names its lines in what it refuses', async () => {
    const { definitions } = bench.fermata;
    const yaml = 'id: from-yaml\nnodes:\n  - id: stop\n    type: end\n';
    expect(await definitions.publish(yaml, { file: 'x.yaml' })).toMatchObject({ id: 'from-yaml', created: true });
    const faulty = `${yaml}    nextNodeId: nowhere\n`;
    await expect(definitions.publish(faulty, { file: 'x.yaml' })).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringContaining('x.yaml:5'),
      details: { issues: expect.arrayContaining([expect.objectContaining({ file: 'x.yaml', line: 5 })]) },
    });
  });

  it('refuses definitions that start each other without end, and stores nothing', async () => {
    const { definitions } = bench.fermata;
    const starts = (id: string, definitionId: string): Definition => ({
      id,
      nodes: [{ id: 'start_it', type: 'workflow', config: { definitionId } }],
    });
    await definitions.publish(starts('round-a', 'round-b'));
    await definitions.publish(starts('round-b', 'round-c'));
    await expect(definitions.publish(starts('round-c', 'round-a'))).rejects.toMatchObject({
      code: 'definition.invalid',
      message: expect.stringContaining('through "round-a" and "round-b"'),
    });
    await expect(definitions.show('round-c')).rejects.toMatchObject({ code: 'definition.not_found' });
    const ending: Definition = {
      id: 'round-c',
      nodes: [
        { id: 'enough', type: 'condition', config: { expression: 'input.n > 3' }, fallbackNodeId: 'start_it' },
        { id: 'start_it', type: 'workflow', config: { definitionId: 'round-a' } },
      ],
    };
    expect(await definitions.publish(ending)).toMatchObject({ created: true });
  });

  it('tells all faults at once, and stores nothing', async () => {
    const { definitions } = bench.fermata;
    const faulty = {
      id: 'faulty',
      nodes: [
        { id: 'x', type: 'dance' },
        { id: 'y', type: 'end', nextNodeId: 7 },
      ],
    };
    const error = await definitions.publish(faulty as never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'definition.invalid' });
    const { issues } = (error as { details: { issues: { path: string }[] } }).details;
    expect(issues.map((issue) => issue.path)).toEqual(expect.arrayContaining(['/nodes/0/type', '/nodes/1/nextNodeId']));
    await expect(definitions.show('faulty')).rejects.toMatchObject({ code: 'definition.not_found' });
  });

  it('refuses what this release does not run, naming the place', async () => {
    const nightly = mailing('later', { trigger: { schedule: { cron: '0 0 * * *' } } });
    await expect(bench.fermata.definitions.publish(nightly)).rejects.toMatchObject({
      code: 'definition.unsupported',
      details: { issues: [expect.objectContaining({ code: 'definition.unsupported', path: '/trigger' })] },
    });
  });

  it('refuses a document of more than a megabyte, as text and as a value', async () => {
    const { definitions } = bench.fermata;
    const large = mailing('large', { description: 'x'.repeat(1024 * 1024) });
    for (const document of [large, JSON.stringify(large)]) {
      await expect(definitions.publish(document)).rejects.toMatchObject({
        code: 'definition.invalid',
        details: { issues: [expect.objectContaining({ code: 'definition.too_large' })] },
      });
    }
  });

  it('warns of what is legal and doubtful', async () => {
    const doubtful = { id: 'doubtful', nodes: [{ id: 'ok', type: 'approval', config: { title: 'Sure?' } }] };
    const { warnings } = await bench.fermata.definitions.publish(doubtful as Definition);
    expect(warnings).toEqual([expect.objectContaining({ severity: 'warning', nodeId: 'ok' })]);
  });
});
