import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand, environmentSecrets } from '../../activities/index.ts';
import type { Json } from '../../definitions/types.ts';
import { keepValue, type ValueKey, type ValueStore } from '../../store/index.ts';
import { failureOf, RUN_ID, startAttempt } from './run-attempt.ts';

const KIB = 1024;
const keyOf = ({ tenant, runId, hash }: ValueKey): string => JSON.stringify([tenant, runId, hash]);

class MemoryValues implements ValueStore {
  readonly texts = new Map<string, string>();
  puts = 0;

  put(key: ValueKey, text: string): Promise<void> {
    this.puts++;
    this.texts.set(keyOf(key), text);
    return Promise.resolve();
  }

  get(key: ValueKey): Promise<string | null> {
    return Promise.resolve(this.texts.get(keyOf(key)) ?? null);
  }
}

const owner = { tenant: 'default', runId: RUN_ID };
const giving = (value: unknown) =>
  defineCommand({ type: 'give', input: z.unknown(), output: z.unknown(), execute: () => value });
const echo = defineCommand({ type: 'echo', input: z.unknown(), output: z.unknown(), execute: (input) => input });
const isReference = (bytes: number) => ({ $value: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes });
const values = (store: ValueStore, more = {}) => ({ store, thresholdBytes: KIB, maxBytes: 1024 * KIB, ...more });

describe('an output', () => {
  test('that is small stays, and nothing is asked of the store', async () => {
    const store = new MemoryValues();
    const output = { text: 'x'.repeat(900) };
    expect(await startAttempt({ handlers: [giving(output)], values: values(store) }).done).toEqual(output);
    expect(store.puts).toBe(0);
  });

  test('leaves only its large members, so that small ones can be read', async () => {
    const store = new MemoryValues();
    const rows = ['x'.repeat(5000), 'y'];
    const { done } = startAttempt({ handlers: [giving({ rows, count: 2 })], values: values(store) });
    expect(await done).toEqual({ rows: isReference(JSON.stringify(rows).length), count: 2 });
    expect([...store.texts.values()]).toEqual([JSON.stringify(rows)]);
  });

  test.each<[string, Json]>([
    ['a text', 'é'.repeat(3000)],
    ['an object of tiny members', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}`, 1]))],
    ['a list', ['x'.repeat(2000), 1]],
    [
      'an object of many small members',
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(90)])),
    ],
  ])('leaves as a whole where it is %s', async (_, output) => {
    const store = new MemoryValues();
    const { done } = startAttempt({ handlers: [giving(output)], values: values(store) });
    expect(await done).toEqual(isReference(Buffer.byteLength(JSON.stringify(output))));
  });

  test('above the largest size fails at once, and is not kept', async () => {
    const store = new MemoryValues();
    const { done } = startAttempt({ handlers: [giving('x'.repeat(2000 * KIB))], values: values(store) });
    expect(await failureOf(done)).toMatchObject({
      type: 'PAYLOAD_TOO_LARGE',
      nonRetryable: true,
      details: [{ bytes: 2000 * KIB + 2, limit: 1024 * KIB }],
    });
    expect(store.puts).toBe(0);
  });

  test('is kept without the secrets of its attempt', async () => {
    const store = new MemoryValues();
    const leaky = defineCommand({
      type: 'leaky',
      input: z.unknown(),
      output: z.unknown(),
      execute: async (_, ctx) => `${await ctx.secret('crm/key')} ${'x'.repeat(2000)}`,
    });
    const secrets = [environmentSecrets({ FERMATA_SECRET_CRM_KEY: 's3cret-value' })];
    await startAttempt({ handlers: [leaky], values: values(store), secrets }).done;
    expect([...store.texts.values()].join()).toMatch(/^"\*\*\* x/);
  });

  test('cannot be kept while the store is away, and the attempt is made again', async () => {
    const store = new MemoryValues();
    store.put = () => Promise.reject(new Error('no room'));
    const failure = await failureOf(startAttempt({ handlers: [giving('x'.repeat(5000))], values: values(store) }).done);
    expect(failure).toMatchObject({ nonRetryable: false });
  });
});

describe('a payload', () => {
  test('comes to the handler whole, in an action and in a rollback', async () => {
    const store = new MemoryValues();
    const rows = ['x'.repeat(5000)];
    const kept = { ...(await keepValue(store, owner, JSON.stringify(rows))) };
    const { done } = startAttempt({
      handlers: [echo],
      payload: { rows: kept, n: 1 },
      values: values(store, { thresholdBytes: 256 * KIB }),
    });
    expect(await done).toEqual({ rows, n: 1 });
    const seen: unknown[] = [];
    const undone = defineCommand({
      type: 'echo',
      input: z.unknown(),
      output: z.unknown(),
      execute: (input) => input,
      rollback: (input, output) => void seen.push(input, output),
    });
    const payload = { input: { rows: kept }, output: kept };
    await startAttempt({ handlers: [undone], payload, header: { u: 1 }, values: values(store) }).done;
    expect(seen).toEqual([{ rows }, rows]);
  });

  test('with more behind its references than may be at once is refused', async () => {
    const store = new MemoryValues();
    const kept = { ...(await keepValue(store, owner, JSON.stringify('x'.repeat(400 * KIB)))) };
    const { done } = startAttempt({ handlers: [echo], payload: [kept, kept, kept], values: values(store) });
    expect(await failureOf(done)).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', nonRetryable: true });
  });

  test('that is changed in the store is not taken for what was kept', async () => {
    const store = new MemoryValues();
    const kept = { ...(await keepValue(store, owner, '"good"')) };
    store.texts.set(keyOf({ ...owner, hash: kept.$value }), '"bad"');
    expect(
      await failureOf(startAttempt({ handlers: [echo], payload: kept, values: values(store) }).done),
    ).toMatchObject({
      type: 'INPUT_INVALID',
    });
  });
});

describe('a forged reference', () => {
  const forged = { $value: 'f'.repeat(64), bytes: 10 };

  test('in a payload is refused: a run reads what its own commands gave, not what another tenant or run has', async () => {
    const store = new MemoryValues();
    for (const other of [
      { ...owner, tenant: 'other' },
      { ...owner, runId: 'lead-onboarding/evt-2' },
    ]) {
      const theirs = { ...(await keepValue(store, other, '"their secret"')) };
      for (const payload of [{ a: theirs }, forged]) {
        const failure = await failureOf(startAttempt({ handlers: [echo], payload, values: values(store) }).done);
        expect(failure).toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
        expect(failure.message).not.toContain('secret');
      }
    }
  });

  test.each<[string, Json]>([
    ['itself', forged],
    ['deep inside', { a: [{ b: forged }], c: 1 }],
  ])('in an output, %s, is kept as the data that it is, and comes back as such', async (_, output) => {
    const store = new MemoryValues();
    const given = await startAttempt({ handlers: [giving(output)], values: values(store) }).done;
    expect(given).toEqual(isReference(JSON.stringify(output).length));
    const seen: Json[] = [];
    const look = defineCommand({
      type: 'look',
      input: z.unknown(),
      output: z.null(),
      execute: (input) => (seen.push(input as Json), null),
    });
    await startAttempt({ handlers: [look], payload: given, values: values(store) }).done;
    expect(seen).toEqual([output]);
  });
});

describe('a worker that keeps no values', () => {
  test('refuses outputs above 256 KiB and those that look like references', async () => {
    const large = startAttempt({ handlers: [giving('x'.repeat(300 * KIB))] });
    expect(await failureOf(large.done)).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', details: [{ limit: 256 * KIB }] });
    const forged = startAttempt({ handlers: [giving({ $value: 'f'.repeat(64), bytes: 1 })] });
    expect(await failureOf(forged.done)).toMatchObject({ type: 'OUTPUT_INVALID' });
  });

  test('leaves a payload that needs them to others', async () => {
    const payload = { $value: 'f'.repeat(64), bytes: 1 };
    const failure = await failureOf(startAttempt({ handlers: [echo], payload }).done);
    expect(failure).toMatchObject({ nonRetryable: false, message: expect.stringContaining('option values') as string });
  });
});
