/** Case H07 (a), (b), (c): three megabytes, in every direction. (d) and (e) need forks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../definitions/limits.ts';
import type { Definition } from '../../definitions/types.ts';
import { eventsWith } from './conclude.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
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
