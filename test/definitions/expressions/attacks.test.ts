/** Check 22 of the reliability plan: no payload reaches a host object, none takes long, nothing of the process changes. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  compileExpression,
  compileTemplate,
  ExpressionSyntaxError,
  Meter,
  type Names,
} from '../../../definitions/expressions/index.ts';
import { attackPayloads } from './attacks.ts';
import { grammar } from './grammar.ts';

/** A long run of the fuzzers: FERMATA_FUZZ_RUNS=100000. */
const FUZZ_RUNS = Number(process.env['FERMATA_FUZZ_RUNS'] ?? 1000);
vi.setConfig({ testTimeout: 60_000 + FUZZ_RUNS * 20 });

/** Of CPU time. Where many tests run at once even that is noisy: a payload is slow when it is slow every time. */
const SLOW_MS = 50;
const ROUNDS = 5;

const names: Names = {
  event: { a: 1 },
  input: {
    list: [1, 2, 3],
    text: 'aaaa',
    long: 'a'.repeat(2000),
    number: 1.5,
    flag: true,
    nothing: null,
    map: { k: [{ v: 'x' }] },
  },
  vars: {},
  nodes: {},
  run: { id: 'r' },
  now: 0,
};

type Outcome = { readonly json: string } | { readonly fault: string };

function attempt(text: string): Outcome {
  try {
    const value = compileExpression(text).evaluate(names, new Meter());
    assertPlain(value);
    return { json: JSON.stringify(value) };
  } catch (error) {
    const { type = '' } = error as { type?: string };
    const known = ['EXPRESSION_ERROR', 'PAYLOAD_TOO_LARGE'].includes(type);
    if (!known && !(error instanceof ExpressionSyntaxError)) throw error;
    return { fault: (error as Error).message };
  }
}

/** Nothing but JSON: no function, no symbol, no prototype but the three of JSON. */
function assertPlain(value: unknown): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') return expect(Number.isFinite(value)).toBe(true);
  if (typeof value !== 'object') throw new Error(`a ${typeof value} came out`);
  expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value));
  for (const [key, inner] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (Array.isArray(value) && key === 'length') continue;
    expect(inner.get).toBeUndefined();
    assertPlain(inner.value);
  }
}

/** What must be the same after any number of evaluations. */
function processState(): unknown {
  const shape = (object: object): string[] => Reflect.ownKeys(object).map(String).sort();
  return {
    globals: shape(globalThis),
    prototypes: [Object, Array, String, Number, Boolean, Function, Map, Error, Promise, Date, RegExp].map((type) =>
      shape(type.prototype),
    ),
    stackTraceLimit: Error.stackTraceLimit,
    polluted: ({} as { polluted?: unknown }).polluted,
    names: JSON.stringify(names),
  };
}

/** The least CPU time of several tries, in milliseconds. */
function quickest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && best > SLOW_MS; round += 1) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const payloads = attackPayloads();

test('no payload reaches a host object, and the process is the same afterwards', () => {
  const before = processState();
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(300);
  const leaks: string[] = [];
  for (const payload of payloads) {
    const outcome = attempt(payload);
    const shown = 'json' in outcome ? outcome.json : outcome.fault;
    if (/native code|\[Function|node:|at .*\.ts:/.test(shown)) leaks.push(payload);
  }
  expect(leaks).toEqual([]);
  expect(processState()).toEqual(before);
});

test('no gadget on any holder has a value', () => {
  const reached = payloads
    .filter((payload) => /^[^(]*\.(constructor|__proto__|prototype|toString|valueOf)$/.test(payload))
    .filter((payload) => 'json' in attempt(payload));
  expect(reached).toEqual([]);
});

test('no payload evaluates for long', () => {
  const slow = payloads.filter((payload) => {
    let compiled: ReturnType<typeof compileExpression>;
    try {
      compiled = compileExpression(payload);
    } catch {
      return false;
    }
    return quickest(() => void tryTo(() => compiled.evaluate(names, new Meter()))) > SLOW_MS;
  });
  expect(slow).toEqual([]);
});

test('payloads as templates reach nothing either', () => {
  const before = processState();
  for (const payload of payloads.filter((each) => each.length < 5000)) {
    for (const template of [`\${${payload}}`, `x \${${payload}} y`, { [payload]: payload }]) {
      const value = tryTo(() => compileTemplate(template).evaluate(names, new Meter()));
      if (value !== undefined) assertPlain(value);
    }
  }
  expect(processState()).toEqual(before);
});

test('grammar-fuzzed expressions give JSON or a fault with a position, never anything else', () => {
  const before = processState();
  fc.assert(
    fc.property(grammar, (text) => {
      attempt(text);
    }),
    { numRuns: FUZZ_RUNS, seed: 22 },
  );
  expect(processState()).toEqual(before);
});

test('any text at all compiles or is refused with a position inside it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      try {
        compileTemplate(`\${${text}}`);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionSyntaxError);
        const { offset } = error as ExpressionSyntaxError;
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(text.length + 3);
      }
    }),
    { numRuns: FUZZ_RUNS, seed: 22 },
  );
});

function tryTo<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
