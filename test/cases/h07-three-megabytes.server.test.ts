/** Case H07 where no values are kept outside the history: three megabytes, in every direction, end with errors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../definitions/limits.ts';
import type { Definition } from '../../definitions/types.ts';
import { eventsWith } from './conclude.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ values: false });
});
afterAll(() => stage.close());

const action = (command: string, payload: Definition['output']): Definition => ({
  id: 'h07',
  nodes: [{ id: 'work', type: 'action', config: { command, ...(payload === undefined ? {} : { payload }) } }],
});

describe('H07', () => {
  test('(a) an output of 3 MB fails its node with the size and the limit, after one attempt', async () => {
    const startedAt = performance.now();
    const { document } = await stage.conclude(await stage.start(action('big', { bytes: 3_000_000 })));
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'PAYLOAD_TOO_LARGE', nodeId: 'work', details: { bytes: 3_000_002, limit: LIMITS.valueBytes } },
      commands: [{ attempts: 1 }],
    });
    expect(document.error?.message).toContain(String(LIMITS.valueBytes));
  });

  test('(b) arguments that add up to 2.5 MB fail their node before they leave the run', async () => {
    const input = 'x'.repeat(250_000);
    const payload = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`part${index}`, '${input}']));
    const { document, histories } = await stage.conclude(await stage.start(action('keep', payload), { input }));
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'PAYLOAD_TOO_LARGE', nodeId: 'work', details: { limit: LIMITS.valueBytes } },
      commands: [],
    });
    expect(document.error?.message).toContain('too large');
    expect(eventsWith(histories, 'workflowTaskStartedEventAttributes')).toHaveLength(1);
  });

  test('(d) four branches, each handed 1.2 MB in the same step, end with the node, the size and the limit', async () => {
    const input = 'x'.repeat(240_000);
    const payload = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`part${index}`, '${input}']));
    const branches = [1, 2, 3, 4].map((n) => ({
      id: `b${n}`,
      nodes: [{ id: `work${n}`, type: 'action' as const, config: { command: 'keep', payload } }],
    }));
    const fork: Definition = {
      id: 'h07',
      nodes: [{ id: 'fork', type: 'parallel', config: { branches, join: 'settled' } }],
      output: '${nodes.fork.output}',
    };
    const { document, histories } = await stage.conclude(await stage.start(fork, { input }));
    for (const [index, { id }] of branches.entries()) {
      expect(document.output).toHaveProperty(id, {
        status: 'failed',
        output: null,
        error: expect.objectContaining({
          type: 'PAYLOAD_TOO_LARGE',
          nodeId: `work${index + 1}`,
          message: expect.stringMatching(/more than 1048576 characters; the limit is 262144 bytes/) as string,
        }) as object,
      });
    }
    expect(eventsWith(histories, 'activityTaskScheduledEventAttributes')).toEqual([]);
  });

  test('(e) the output by which the state would pass 1 MiB fails its node, and those before it stay', async () => {
    const makes = Array.from({ length: 6 }, (_, index) => ({
      id: `make${index}`,
      type: 'action' as const,
      config: { command: 'big', payload: { bytes: 200_000 } },
      ...(index < 5 ? { nextNodeId: `make${index + 1}` } : {}),
    }));
    const { document } = await stage.conclude(await stage.start({ id: 'h07', nodes: makes }));
    expect(document).toMatchObject({
      state: 'failed',
      error: { type: 'PAYLOAD_TOO_LARGE', nodeId: 'make5', details: { bytes: 1_200_012, limit: LIMITS.stateBytes } },
    });
  });

  test('(c) an event of 3 MB is refused at the door, with its size and the limit, and leaves nothing', async () => {
    const refused = await stage.fermata.events
      .publish({ id: 'h07-c', type: 'lead.created', source: '/crm', data: { text: 'x'.repeat(3_000_000) } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'input.too_large',
      details: { bytes: 3_000_011, limit: LIMITS.inputBytes },
    });
    expect((await stage.store.runs.list({ eventId: 'h07-c' })).items).toEqual([]);
  });
});
