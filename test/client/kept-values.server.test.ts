/** What applications see of values that are kept outside the history of a run. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { CommandError, defineCommand } from '../../activities/index.ts';
import type { Definition, Json } from '../../definitions/types.ts';
import type { ValueKey, ValueStore } from '../../store/index.ts';
import { type ClientBench, startClientBench } from './setup.ts';

const rows = Array.from({ length: 20_000 }, (_, index) => ({ id: index, name: `row ${index}` }));
const undone: Json[] = [];

const read = defineCommand({
  type: 'read',
  input: z.unknown(),
  output: z.object({ rows: z.unknown(), count: z.number() }),
  execute: () => ({ rows, count: rows.length }),
  rollback(_, output) {
    undone.push(output as Json);
  },
});
const fail = defineCommand({
  type: 'fail',
  input: z.unknown(),
  output: z.null(),
  execute: () => Promise.reject(new CommandError('NO_ROOM', 'no room', { retryable: false })),
});

let bench: ClientBench;
beforeAll(async () => {
  bench = await startClientBench({ commands: [read, fail] });
});
afterAll(() => bench.stop());

const reading: Definition = {
  id: 'reading',
  nodes: [{ id: 'read', type: 'action', config: { command: 'read', undo: true } }],
};

test('result() gives the whole value, and show() the reference with the fields beside it', async () => {
  await bench.fermata.definitions.publish(reading);
  const run = await bench.fermata.runs.start('reading');
  expect(await run.result()).toEqual({ rows, count: rows.length });
  const bytes = JSON.stringify(rows).length;
  const reference = { $value: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes };
  await expect
    .poll(async () => (await run.show()).output, { timeout: 10_000 })
    .toEqual({ rows: reference, count: rows.length });
});

test('a rollback sees the whole output', async () => {
  const nodes = [
    { ...reading.nodes[0], nextNodeId: 'fail' },
    { id: 'fail', type: 'action', config: { command: 'fail' } },
  ];
  await bench.fermata.definitions.publish({ id: 'undone', nodes } as Definition);
  const run = await bench.fermata.runs.start('undone');
  await expect(run.result()).rejects.toMatchObject({ code: 'run.failed' });
  expect(undone).toEqual([{ rows, count: rows.length }]);
});

test('what looks like a reference is refused at the doors', async () => {
  const forged = { rows: [{ $value: 'a'.repeat(64), bytes: 3 }] };
  await expect(bench.fermata.runs.start('reading', { input: forged })).rejects.toMatchObject({
    code: 'run.input_invalid',
    message: expect.stringContaining('cannot come from outside') as string,
  });
  await expect(
    bench.fermata.events.publish({ type: 'rows.read', source: '/test', data: forged }),
  ).rejects.toMatchObject({ code: 'event.invalid', details: { path: '/data' } });
});

test('a store of your own serves workers and clients that are given it', async () => {
  const texts = new Map<string, string>();
  const keyOf = ({ tenant, runId, hash }: ValueKey): string => `${tenant} ${runId} ${hash}`;
  const store: ValueStore = {
    put: (key, text) => Promise.resolve(void texts.set(keyOf(key), text)),
    get: (key) => Promise.resolve(texts.get(keyOf(key)) ?? null),
  };
  const own = await startClientBench({ commands: [read], values: { store, thresholdBytes: 1024 } });
  try {
    await own.fermata.definitions.publish(reading);
    const { id } = await own.fermata.runs.start('reading');
    await expect(own.fermata.runs.result(id)).rejects.toMatchObject({ code: 'value.not_found' });
    const client = await own.connect({ values: { store } });
    expect(await client.runs.result(id)).toEqual({ rows, count: rows.length });
    expect([...texts.keys()]).toEqual([expect.stringContaining(`${own.tenant} ${id} `)]);
  } finally {
    await own.stop();
  }
});

test.each([
  ['thresholdBytes', { thresholdBytes: 10 }],
  ['maxBytes', { maxBytes: 1e12 }],
])('an option %s that cannot be is refused by name', async (option, values) => {
  await expect(bench.connect({ values })).rejects.toMatchObject({
    code: 'config.invalid',
    details: { option: `values.${option}` },
  });
});
