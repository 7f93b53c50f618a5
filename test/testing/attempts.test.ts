import { describe, expect, it } from 'vitest';
import { retryDelayMs } from '../../testing/attempts.ts';
import { endOf, order, testWorld, watch } from './builders.ts';

const busy = { error: { type: 'BUSY', message: 'come again' } };

describe('attempts of a command', () => {
  it('ends with the output, after the time that the attempt takes', async () => {
    const test = testWorld({ work: { output: { ok: true }, takes: '3s' } });
    expect(await endOf(test, test.effects.runCommand(order()))).toEqual({ output: { ok: true }, at: 3000 });
  });

  it('repeats a retryable error after intervals that grow by the coefficient', async () => {
    const test = testWorld({ work: [busy, busy, busy, { output: 1 }] });
    const end = await endOf(test, test.effects.runCommand(order({ retry: { maxAttempts: 4 } })));
    expect(end).toEqual({ output: 1, at: 1000 + 2000 + 4000 });
    expect(test.world.replies.attempts.get('demo/run/work/1')).toBe(4);
  });

  it('waits no longer than the maximal interval', async () => {
    const test = testWorld({ work: [busy, busy, busy, { output: 1 }] });
    const retry = { maxAttempts: 4, initialIntervalMs: 1000, backoffCoefficient: 10, maxIntervalMs: 2500 };
    expect(await endOf(test, test.effects.runCommand(order({ retry })))).toEqual({ output: 1, at: 1000 + 2500 + 2500 });
  });

  it('gives up with the last error when the attempts are used up', async () => {
    const test = testWorld({ work: [busy, busy, { error: { type: 'GONE', message: 'no more', details: { at: 3 } } }] });
    const end = await endOf(test, test.effects.runCommand(order()));
    expect(end).toEqual({
      error: { type: 'GONE', message: 'no more', details: { at: 3 }, nodeId: 'work' },
      at: 3000,
    });
  });

  it('makes one attempt where only one is allowed', async () => {
    const test = testWorld({ work: busy });
    const end = await endOf(test, test.effects.runCommand(order({ retry: { maxAttempts: 1 } })));
    expect(end).toMatchObject({ error: { type: 'BUSY' }, at: 0 });
  });

  it('never repeats an error that is not retryable', async () => {
    const test = testWorld({ work: { error: { type: 'REFUSED', retryable: false }, takes: '1s' } });
    expect(await endOf(test, test.effects.runCommand(order()))).toMatchObject({ error: { type: 'REFUSED' }, at: 1000 });
  });

  it('never repeats an error whose type the policy names', async () => {
    const test = testWorld({ work: busy });
    const end = await endOf(test, test.effects.runCommand(order({ retry: { nonRetryable: ['BUSY'] } })));
    expect(end).toMatchObject({ error: { type: 'BUSY' }, at: 0 });
  });

  it('ends an attempt at its timeout and tries again', async () => {
    const test = testWorld({ work: [{ takes: '10m' }, { output: 'in time', takes: '1s' }] });
    const end = await endOf(test, test.effects.runCommand(order({ timeoutMs: 5000 })));
    expect(end).toEqual({ output: 'in time', at: 5000 + 1000 + 1000 });
  });

  it('gives up with TIMEOUT when every attempt takes too long', async () => {
    const test = testWorld({ work: { takes: '10m' } });
    const end = await endOf(test, test.effects.runCommand(order({ timeoutMs: 5000, retry: { maxAttempts: 2 } })));
    expect(end).toMatchObject({ error: { type: 'TIMEOUT', nodeId: 'work' }, at: 5000 + 1000 + 5000 });
  });

  it('repeats no timeout that the policy names', async () => {
    const test = testWorld({ work: { takes: '10m' } });
    const end = await endOf(test, test.effects.runCommand(order({ retry: { nonRetryable: ['TIMEOUT'] } })));
    expect(end).toMatchObject({ error: { type: 'TIMEOUT' }, at: 60_000 });
  });

  it('takes an attempt that lasts exactly its timeout as in time', async () => {
    const test = testWorld({ work: { output: 1, takes: '5s' } });
    expect(await endOf(test, test.effects.runCommand(order({ timeoutMs: 5000 })))).toEqual({ output: 1, at: 5000 });
  });

  it('ends with DEADLINE in the middle of an attempt when the time for all of them is over', async () => {
    const test = testWorld({ work: [busy, { takes: '10m' }] });
    const end = await endOf(test, test.effects.runCommand(order({ deadlineMs: 4000 })));
    expect(end).toMatchObject({ error: { type: 'DEADLINE', nodeId: 'work', cause: { type: 'BUSY' } }, at: 4000 });
  });

  it('ends with DEADLINE at once when the next attempt would come too late, with the last error as cause', async () => {
    const test = testWorld({ work: { ...busy, takes: '1s' } });
    const end = await endOf(test, test.effects.runCommand(order({ deadlineMs: 4500, retry: { maxAttempts: 9 } })));
    // Attempts from 0 to 1 s and from 2 to 3 s; the third would begin at 5 s.
    expect(end).toMatchObject({
      error: { type: 'DEADLINE', cause: { type: 'BUSY', message: 'come again' } },
      at: 3000,
    });
  });

  it('does not ask again for a missing handler by itself', async () => {
    const test = testWorld({ work: { error: { type: 'HANDLER_NOT_FOUND' } } });
    expect(await endOf(test, test.effects.runCommand(order()))).toMatchObject({
      error: { type: 'HANDLER_NOT_FOUND' },
      at: 0,
    });
  });

  it('draws jitter from the given source, and has none without one', async () => {
    const draws = [0, 0.75];
    const test = testWorld({ work: [busy, busy, { output: 1 }] }, () => draws.shift() ?? 0.5);
    const end = await endOf(test, test.effects.runCommand(order()));
    expect(end).toEqual({ output: 1, at: 1000 * 0.8 + 2000 * 1.1 });
  });

  it('keeps a jittered interval whole, within its share and never above the longest', () => {
    const retry = order({ retry: { initialIntervalMs: 333, jitter: 0.1, maxIntervalMs: 700 } }).retry;
    expect(retryDelayMs(retry, 1, null)).toBe(333);
    expect(retryDelayMs(retry, 1, 0)).toBe(300);
    expect(retryDelayMs(retry, 1, 0.5)).toBe(333);
    expect(retryDelayMs(retry, 3, null)).toBe(700);
    expect(retryDelayMs(retry, 3, 0.999999)).toBe(700);
    expect(retryDelayMs(retry, 3, 0)).toBe(573);
  });
});

describe('cancelling a command', () => {
  it('ends it at once, in the middle of an attempt', async () => {
    const test = testWorld({ work: { output: 1, takes: '10s' } });
    const scope = test.effects.openScope();
    const watched = watch(test, scope.runCommand(order()));
    test.world.clock.schedule(test.world.clock.now() + 2000, () => scope.cancel());
    await test.settle();
    expect(watched.end).toMatchObject({ error: { type: 'CANCELLED', nodeId: 'work' }, at: 2000 });
    expect(test.elapsed()).toBe(2000);
  });

  it('waits for the attempt under way where that was asked for, and gives its output', async () => {
    const test = testWorld({ work: { output: 'done', takes: '10s' } });
    const scope = test.effects.openScope();
    const watched = watch(test, scope.runCommand(order({ awaitWhenCancelled: true })));
    test.world.clock.schedule(test.world.clock.now() + 2000, () => scope.cancel());
    await test.settle();
    expect(watched.end).toEqual({ output: 'done', at: 10_000 });
  });

  it('tries no more after an awaited attempt that failed', async () => {
    const test = testWorld({ work: { ...busy, takes: '10s' } });
    const scope = test.effects.openScope();
    const watched = watch(test, scope.runCommand(order({ awaitWhenCancelled: true })));
    test.world.clock.schedule(test.world.clock.now() + 2000, () => scope.cancel());
    await test.settle();
    expect(watched.end).toMatchObject({ error: { type: 'BUSY' }, at: 10_000 });
  });

  it('ends it at once between two attempts, awaited or not', async () => {
    const test = testWorld({ work: busy });
    const scope = test.effects.openScope();
    const watched = watch(test, scope.runCommand(order({ awaitWhenCancelled: true })));
    test.world.clock.schedule(test.world.clock.now() + 500, () => scope.cancel());
    await test.settle();
    expect(watched.end).toMatchObject({ error: { type: 'CANCELLED' }, at: 500 });
  });

  it('makes no attempt in a scope that is cancelled already', async () => {
    const test = testWorld();
    const scope = test.effects.openScope();
    scope.cancel();
    expect(await endOf(test, scope.runCommand(order()))).toMatchObject({ error: { type: 'CANCELLED' }, at: 0 });
    expect(test.world.replies.attempts.size).toBe(0);
  });
});
