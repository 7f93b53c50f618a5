/**
 * Check 18: the limits of Temporal that these node types can meet (`docs/limits.md`). Just below them a run passes; just
 * above it ends with our typed error, or never gets there. No run is terminated by the server, none is stuck.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CommandError, defineCommand } from '../../activities/index.ts';
import { LIMITS } from '../../definitions/limits.ts';
import type { Definition } from '../../definitions/types.ts';
import { eventsWith, waiting } from '../cases/conclude.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { sendSignals } from './send-signals.ts';
import { spinning } from './spinning.ts';

const wordy = defineCommand({
  type: 'wordy',
  input: z.object({ bytes: z.number() }),
  output: z.null(),
  execute: ({ bytes }) => Promise.reject(new CommandError('WORDY', 'é'.repeat(bytes / 2), { retryable: false })),
});

let stage: Stage;
beforeAll(async () => {
  // What is kept outside the history has its own limits: test/cases/h07-kept-values, test/activities/kept-values.
  stage = await openStage({ commands: [wordy], values: false });
});
afterAll(() => stage.close());

const one = (command: string, payload: Definition['output'], more: object = {}): Definition => ({
  id: 'limit',
  nodes: [{ id: 'work', type: 'action', config: { command, ...(payload === undefined ? {} : { payload }), ...more } }],
});
/** Two quotes are part of a text's JSON. */
const TEXT_LIMIT = LIMITS.valueBytes - 2;

describe('the output of a handler', () => {
  test('of exactly 256 KiB passes', async () => {
    const { document } = await stage.conclude(await stage.start(one('big', { bytes: TEXT_LIMIT })));
    expect(document.state).toBe('completed');
  });

  test.each([TEXT_LIMIT + 1, 300_000])(
    'of %i characters ends with PAYLOAD_TOO_LARGE after one attempt',
    async (bytes) => {
      const { document } = await stage.conclude(await stage.start(one('big', { bytes })));
      expect(document).toMatchObject({ error: { type: 'PAYLOAD_TOO_LARGE' }, commands: [{ attempts: 1 }] });
    },
  );

  test.each([TEXT_LIMIT + 1, 300_000])('of %i characters, local, ends in the same way', async (bytes) => {
    const { document } = await stage.conclude(await stage.start(one('big', { bytes }, { local: true })));
    expect(document.error).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', nodeId: 'work' });
  });
});

describe('the payload of a command', () => {
  test.each([
    [TEXT_LIMIT, 'completed', undefined],
    [TEXT_LIMIT + 1, 'failed', 'PAYLOAD_TOO_LARGE'],
  ])('of %i characters is %s', async (size, state, type) => {
    const { document } = await stage.conclude(await stage.start(one('keep', '${input}'), { input: 'x'.repeat(size) }));
    expect([document.state, document.error?.type]).toEqual([state, type]);
  });
});

test('an error message of 3 MB is cut, and its run fails at once', async () => {
  const handle = await stage.start(one('wordy', { bytes: 3_000_000 }));
  const { document } = await stage.conclude(handle);
  expect(document).toMatchObject({ state: 'failed', error: { type: 'WORDY' }, commands: [{ attempts: 1 }] });
  const bytes = Buffer.byteLength(document.error?.message ?? '');
  expect(bytes).toBeLessThanOrEqual(LIMITS.failureMessageBytes);
  expect(bytes).toBeGreaterThan(LIMITS.failureMessageBytes - 10);
});

test('outputs that add up past 1 MiB of state fail the node that passes it, and what was before stays', async () => {
  const nodes = Array.from({ length: 5 }, (_, index) => ({
    id: `part${index + 1}`,
    type: 'action' as const,
    config: { command: 'big', payload: { bytes: 250_000 } },
    ...(index < 4 ? { nextNodeId: `part${index + 2}` } : {}),
  }));
  const { document } = await stage.conclude(await stage.start({ id: 'limit', nodes }));
  expect(document).toMatchObject({
    state: 'failed',
    error: { type: 'PAYLOAD_TOO_LARGE', nodeId: 'part5', details: { limit: LIMITS.stateBytes } },
  });
});

describe('the doors', () => {
  const publish = (id: string, size: number) =>
    stage.fermata.events.publish({ id, type: 'limit.door', source: '/limits', data: 'x'.repeat(size) });

  test('take an event of 256 KiB and refuse one byte more, and 5 MB', async () => {
    expect((await publish('door-1', LIMITS.inputBytes - 2)).runs).toEqual([]);
    for (const [index, size] of [LIMITS.inputBytes - 1, 5_000_000].entries()) {
      await expect(publish(`door-over-${index}`, size)).rejects.toMatchObject({ code: 'input.too_large' });
    }
  });

  test('start a run by an event whose entity and id are longer than a search attribute or an id may be', async () => {
    const definition: Definition = {
      ...one('keep', {}),
      id: 'limit-entity',
      trigger: { event: 'limit.entity' },
      entity: { type: 'lead', id: '${event.data.key}' },
    };
    await stage.fermata.definitions.publish(definition);
    const { runs } = await stage.fermata.events.publish({
      id: `e-${'é'.repeat(120)}`,
      type: 'limit.entity',
      source: '/limits',
      data: { key: 'k'.repeat(3000) },
    });
    const workflowId = runs[0]?.runId ?? '';
    expect(Buffer.byteLength(workflowId)).toBeLessThanOrEqual(LIMITS.idBytes);
    const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
    const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? '';
    const { document } = await stage.conclude({ workflowId, firstExecutionRunId });
    expect(document.state).toBe('completed');
  });
});

test('12,000 visits of a loop without an effect end, with more and more room for others between them', async () => {
  const { document, histories } = await stage.conclude(await stage.start(spinning(12_000)), { withinMs: 30_000 });
  expect(document).toMatchObject({ state: 'completed', output: 6_000 });
  expect(document.trace).toHaveLength(12_000);
  const timers = eventsWith(histories, 'timerStartedEventAttributes').map(
    ({ timerStartedEventAttributes: timer }) =>
      Number(timer?.startToFireTimeout?.seconds) * 1000 + Number(timer?.startToFireTimeout?.nanos) / 1e6,
  );
  expect(timers).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]);
}, 120_000);

test('2,000 signals to a waiting run roll its history over, and the decision behind them counts', async () => {
  const { document, histories } = await sendSignals(stage, 2_000, { rolloverEvents: 1_000 });
  expect(document).toMatchObject({ state: 'completed', trace: [{ outcome: 'approved' }, {}] });
  expect(eventsWith(histories, 'workflowExecutionSignaledEventAttributes')).toHaveLength(2_001);
  expect(histories.length).toBeGreaterThan(1);
}, 180_000);

test('decisions of megabytes, early or one upon the other, are dropped or refused, and the run rolls over all the same', async () => {
  const handle = await stage.start(
    {
      id: 'limit-decisions',
      nodes: [
        { id: 'first', type: 'approval', config: { quorum: 3 }, nextNodeId: 'later' },
        { id: 'later', type: 'approval', config: {}, nextNodeId: 'done' },
        { id: 'done', type: 'end' },
      ],
    },
    { rolloverEvents: 20 },
  );
  await waiting(stage.store, handle.workflowId, 'first');
  const current = stage.client.workflow.getHandle(handle.workflowId);
  const say = (nodeId: string, person: number, bytes: number) =>
    current.signal('decide', {
      nodeId,
      outcome: 'approved',
      by: { id: `p${person}` },
      data: 'x'.repeat(bytes),
    });
  for (let person = 0; person < 30; person += 1) await say('later', person, 100_000);
  await say('later', 30, 1000);
  for (let person = 0; person < 3; person += 1) await say('first', person, 90_000);
  for (let person = 3; person < 5; person += 1) await say('first', person, 10);
  const { document, histories, records } = await stage.conclude(handle, { withinMs: 30_000, overtaken: true });
  expect(document).toMatchObject({ state: 'completed', trace: [{ outcome: 'approved' }, { outcome: 'approved' }, {}] });
  expect(histories.length).toBeGreaterThan(1);
  const refusals = records.flatMap((record) => (record.kind === 'decision' ? [record.refusal?.code ?? null] : []));
  expect(refusals).toContain('too_large');
}, 120_000);
