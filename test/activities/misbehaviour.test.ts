/** Check 25 of the reliability plan, as far as one attempt shows it: whatever a handler does, the attempt ends as documented. */
import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { adaptHandler, defineCommand } from '../../activities/index.ts';
import { failureOf, startAttempt } from './run-attempt.ts';

function handlerOf(execute: () => unknown) {
  return defineCommand({ type: 'rogue', input: z.unknown(), output: z.unknown(), execute });
}

function run(execute: () => unknown) {
  return startAttempt({ handlers: [handlerOf(execute)] }).done;
}

function throwing(thrown: unknown) {
  return run(() => {
    throw thrown;
  });
}

const unreadable = new Proxy(new Error('x'), {
  get() {
    throw new Error('no');
  },
});

describe('a handler that throws what is no error', () => {
  test.each([
    ['a text', 'out of paper', 'the handler threw out of paper'],
    ['nothing', undefined, 'the handler threw undefined'],
    ['null', null, 'the handler threw null'],
    ['a number', 42, 'the handler threw 42'],
    ['a BigInt', 42n, 'the handler threw 42'],
    ['a symbol', Symbol('s'), 'the handler threw Symbol(s)'],
    ['an object', { code: 7 }, 'the handler threw {"code":7}'],
    ['an object that contains itself', cyclic(), 'the handler threw a value that cannot be read'],
    ['an error that throws when looked at', unreadable, 'the handler threw a value that cannot be read'],
  ])('%s, is retried as HANDLER_ERROR', async (_, thrown, message) => {
    expect(await failureOf(throwing(thrown))).toMatchObject({ type: 'HANDLER_ERROR', message, nonRetryable: false });
  });

  test('has a failure that Temporal can carry, also for 100 MB of text', async () => {
    const failure = await failureOf(throwing('x'.repeat(100_000_000)));
    const proto = defaultFailureConverter.errorToFailure(failure, defaultPayloadConverter);
    expect(JSON.stringify(proto).length).toBeLessThan(16 * 1024);
  });
});

describe('a handler whose result is no JSON', () => {
  test.each([
    ['a BigInt', { total: 1n }, '/total: a bigint is no JSON'],
    ['a function', [() => 1], '/0: a function is no JSON'],
    ['a symbol', Symbol('s'), 'its root: a symbol is no JSON'],
    ['a cycle', cyclic(), '/self: the value contains itself'],
    ['NaN', { n: Number.NaN }, '/n: NaN is no JSON number'],
    ['an infinity', Infinity, 'its root: the number Infinity is too large'],
    ['an unsafe whole number', 2 ** 53, 'its root: the whole number 9007199254740992 is beyond'],
    ['U+0000', 'a\u0000', 'its root: a text must not hold the character U+0000'],
    ['a Map', new Map(), 'its root: a Map is no JSON'],
    ['bytes', { file: Buffer.from('x') }, null],
    ['typed arrays', new Uint8Array(2), 'its root: a Uint8Array is no JSON'],
    ['a promise inside', { later: Promise.resolve(1) }, '/later: a Promise is no JSON'],
    ['deep nesting', nested(100_000), 'nested deeper than 32 levels'],
  ])('(%s) ends as OUTPUT_INVALID with the path', async (_, result, told) => {
    if (told === null) {
      // Node's Buffer brings its own toJSON.
      expect(await run(() => result)).toEqual({ file: { type: 'Buffer', data: [120] } });
      return;
    }
    const failure = await failureOf(run(() => result));
    expect(failure).toMatchObject({ type: 'OUTPUT_INVALID', nonRetryable: true });
    expect(failure.message).toContain(told);
  });

  test('but what JSON can write is written', async () => {
    class Row {
      id = 7;
      missing = undefined;
      at = new Date(0);
    }
    const tail = Object.defineProperty({}, '__proto__', { value: { x: 1 }, enumerable: true });
    const list = [undefined];
    list.length = 3;
    const output = (await run(() => ({ row: new Row(), list, tail }))) as { tail: object };
    expect(output).toEqual({
      row: { id: 7, at: '1970-01-01T00:00:00.000Z' },
      list: [null, null, null],
      tail,
    });
    expect(JSON.stringify(output.tail)).toBe('{"__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(output.tail)).toBe(Object.prototype);
  });

  test('and a schema that walks a cycle for ever is stopped', async () => {
    const tree: z.ZodType = z.lazy(() => z.object({ self: tree }));
    const command = defineCommand({ type: 'tree', input: z.unknown(), output: tree, execute: () => cyclic() });
    const failure = await failureOf(startAttempt({ handlers: [command] }).done);
    expect(failure).toMatchObject({ type: 'OUTPUT_INVALID', nonRetryable: true });
  });
});

describe('a handler with a result of 100 MB', () => {
  test.each([
    ['one text', () => 'x'.repeat(100_000_000)],
    ['many small values', () => Array.from({ length: 5_000_000 }, (_, index) => index)],
  ])('(%s) ends as PAYLOAD_TOO_LARGE, with the work bounded', async (_, result) => {
    const failure = await failureOf(run(result));
    expect(failure).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', nonRetryable: true, details: [{ limit: 262144 }] });
    expect(failure.message).toContain('has more than 4194304 bytes of JSON; the limit is 262144');
  });
});

describe('a handler that takes its time', () => {
  test('for ever, ends when the server gives up, and its late error disturbs nobody', async () => {
    let failLate: (error: Error) => void = () => {};
    const { done, env, reports } = startAttempt({
      handlers: [handlerOf(() => new Promise((_, reject) => (failLate = reject)))],
    });
    env.cancel('TIMED_OUT');
    await expect(done).rejects.toThrow('TIMED_OUT');
    failLate(new Error('too late'));
    expect(reports.map(({ phase }) => phase)).toEqual(['started', 'failed']);
  });

  test('blocking the event loop, still has its result reported afterwards', async () => {
    const blocked = run(() => {
      for (const until = performance.now() + 30; performance.now() < until; );
      return 'done';
    });
    expect(await blocked).toBe('done');
  });
});

describe('a class handler', () => {
  test.each([undefined, null, 'ok', { success: 'yes' }, {}])(
    'that answers %j ends as OUTPUT_INVALID',
    async (answer) => {
      const rogue = adaptHandler({ canHandle: () => true, execute: () => answer as never });
      const failure = await failureOf(startAttempt({ handlers: [rogue], type: 'any' }).done);
      expect(failure).toMatchObject({ type: 'OUTPUT_INVALID', nonRetryable: true });
    },
  );
});

function cyclic(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function nested(depth: number): unknown {
  let value: unknown = null;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
