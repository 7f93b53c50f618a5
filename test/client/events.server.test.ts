import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../activities/define-command.ts';
import type { Definition } from '../../definitions/types.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const echo = defineCommand({
  type: 'echo',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  execute: async ({ text }) => ({ text: `${text}!` }),
});
beforeAll(async () => {
  bench = await startClientBench([echo]);
});
afterAll(() => bench.stop());

const greet = (id: string, more: Partial<Definition> = {}): Definition => ({
  id,
  trigger: { event: 'lead.created', filters: { source: 'Facebook' } },
  nodes: [{ id: 'greet', type: 'action', config: { command: 'echo', payload: { text: '${event.data.name}' } } }],
  ...more,
});

describe('publish', () => {
  it('starts one run of every definition that matches, and says why others did not', async () => {
    const { fermata } = bench;
    await fermata.definitions.publish(greet('greet'));
    await fermata.definitions.publish(greet('web', { trigger: { event: 'lead.created', filters: { source: 'Web' } } }));
    const published = await fermata.events.publish({
      id: 'evt-1',
      type: 'lead.created',
      source: '/crm',
      data: { source: 'Facebook', name: 'Ann' },
    });
    const runId = `${fermata.settings.tenant}/greet/evt-1`;
    expect(published).toEqual({
      eventId: 'evt-1',
      created: true,
      runs: [{ definitionId: 'greet', version: 1, runId, status: 'started' }],
      began: [runId],
      notMatched: [
        { definitionId: 'web', version: 1, reason: { path: 'source', message: 'source is "Facebook", not "Web"' } },
      ],
    });
    expect(await fermata.runs.result(runId)).toEqual({ text: 'Ann!' });
  });
});
