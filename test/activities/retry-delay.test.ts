import type { Info } from '@temporalio/activity';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CommandError, defineCommand } from '../../activities/index.ts';
import { jitteredDelayMs } from '../../activities/retry-delay.ts';
import { failureOf, startAttempt } from './run-attempt.ts';

const policy = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000, maximumAttempts: 10 };
const infoOf = (attempt: number, retryPolicy: Info['retryPolicy'] = policy) => ({ attempt, retryPolicy }) as Info;

const failing = defineCommand({
  type: 'f',
  input: z.boolean(),
  output: z.unknown(),
  execute(retryable) {
    throw new CommandError('BUSY', 'busy', { retryable });
  },
});

async function delayOf(setup: {
  retryable?: boolean;
  header?: { j: number };
  attempt?: number;
  retryPolicy?: Info['retryPolicy'];
}) {
  const { retryable = true, header, attempt = 1, retryPolicy = policy } = setup;
  const { done } = startAttempt({
    handlers: [failing],
    payload: retryable,
    random: () => 0.75,
    ...(header === undefined ? {} : { header }),
    info: { attempt, retryPolicy },
  });
  return (await failureOf(done)).nextRetryDelay;
}

describe('the wait before the next attempt', () => {
  test('is the interval of the policy with 20 % jitter, unless the header says otherwise', async () => {
    expect(await delayOf({})).toBe(1100);
    expect(await delayOf({ attempt: 3 })).toBe(4400);
    expect(await delayOf({ header: { j: 1 } })).toBe(1500);
  });

  test('is left to the policy without jitter, without another attempt, and without a policy', async () => {
    expect(await delayOf({ header: { j: 0 } })).toBeUndefined();
    expect(await delayOf({ attempt: 10 })).toBeUndefined();
    expect(await delayOf({ retryable: false })).toBeUndefined();
    expect(await delayOf({ retryPolicy: { ...policy, nonRetryableErrorTypes: ['BUSY'] } })).toBeUndefined();
    expect(jitteredDelayMs({ attempt: 1 } as Info, { jitter: 0.2, random: () => 0.5 })).toBeUndefined();
  });

  test('stays spread, and never above the longest interval', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const jitter = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), jitter, random, (attempt, share, drawn) => {
        const delay = jitteredDelayMs(infoOf(attempt), { jitter: share, random: () => drawn });
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(1);
        expect(delay).toBeLessThanOrEqual(60_000);
      }),
    );
    expect(jitteredDelayMs(infoOf(50), { jitter: 0.2, random: () => 0 })).toBe(40_000);
  });
});
