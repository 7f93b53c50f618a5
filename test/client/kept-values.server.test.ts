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
/** Too large for a history, and small enough for a run's input or an event. */
const SOME = Array.from({ length: 1000 }, (_, index) => `item ${index} `.padEnd(100, 'x'));
const some = defineCommand({ type: 'some', input: z.unknown(), output: z.array(z.string()), execute: () => SOME });
const count = defineCommand({
  type: 'count',
  input: z.object({ seen: z.number(), rows: z.array(z.unknown()) }),
  output: z.object({ seen: z.number(), rows: z.number() }),
  execute: (input) => ({ seen: input.seen, rows: input.rows.length }),
});
const fail = defineCommand({
  type: 'fail',
  input: z.unknown(),
  output: z.null(),
  execute: () => Promise.reject(new CommandError('NO_ROOM', 'no room', { retryable: false })),
});

let bench: ClientBench;
beforeAll(async () => {
  bench = await startClientBench({ commands: [read, some, count, fail] });
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

test('a run that another begins has its input whole, gives what it keeps, and that can be handed on', async () => {
  const some = { id: 'some', type: 'action', config: { command: 'some' } } as const;
  const { fermata } = bench;
  await fermata.definitions.publish({
    id: 'inner',
    input: { type: 'object', properties: { some: { type: 'array' } } },
    nodes: [{ id: 'read', type: 'action', config: { command: 'read' } }],
    output: { seen: '${size(input.some)}', rows: '${nodes.read.output.rows}' },
  });
  await fermata.definitions.publish({
    id: 'outer',
    nodes: [
      { ...some, nextNodeId: 'inner' },
      {
        id: 'inner',
        type: 'workflow',
        config: { definitionId: 'inner', input: { some: '${nodes.some.output}' } },
        nextNodeId: 'tell',
      },
      { id: 'tell', type: 'emit', config: { event: 'some.seen', data: '${nodes.some.output}' }, nextNodeId: 'count' },
      { id: 'count', type: 'action', config: { command: 'count', payload: '${nodes.inner.output}' } },
    ],
  });
  await fermata.definitions.publish({
    id: 'hears',
    trigger: { event: 'some.seen' },
    nodes: [{ id: 'end', type: 'end', config: { output: '${size(event.data)}' } }],
  });
  const run = await fermata.runs.start('outer');
  expect(await run.result()).toEqual({ seen: SOME.length, rows: rows.length });
  await expect
    .poll(async () => (await fermata.runs.list({ definitionId: 'hears' })).items.map(({ state }) => state), {
      timeout: 10_000,
    })
    .toEqual(['completed']);
  const [heard] = (await fermata.runs.list({ definitionId: 'hears' })).items;
  expect(await fermata.runs.result(heard?.runId ?? '')).toBe(SOME.length);
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
