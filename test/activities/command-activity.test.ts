import { once } from 'node:events';
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CommandError, type CommandContext, defineCommand } from '../../activities/index.ts';
import { failureOf, RUN_ID, startAttempt } from './run-attempt.ts';

const input = z.object({ leadId: z.string(), team: z.string().default('sales') });
const output = z.object({ ownerId: z.string() });
const assignLead = defineCommand({
  type: 'assign_lead',
  input,
  output,
  execute: ({ leadId, team }) => ({ ownerId: `${team}:${leadId}` }),
});

function throwing(thrown: unknown) {
  return defineCommand({
    type: 'broken',
    input: z.unknown(),
    output: z.unknown(),
    execute() {
      throw thrown;
    },
  });
}

function seeing(look: (ctx: CommandContext) => unknown) {
  return defineCommand({ type: 'look', input: z.unknown(), output: z.unknown(), execute: (_, ctx) => look(ctx) });
}

describe('an attempt', () => {
  test('gives the handler a checked payload and answers its checked output', async () => {
    const { done, reports } = startAttempt({ handlers: [assignLead], payload: { leadId: '7' }, now: () => 5 });
    expect(await done).toEqual({ ownerId: 'sales:7' });
    expect(reports.map(({ phase, commandId, at, error }) => ({ phase, commandId, at, error }))).toEqual([
      { phase: 'started', commandId: `${RUN_ID}/assign/1`, at: 5, error: null },
      { phase: 'succeeded', commandId: `${RUN_ID}/assign/1`, at: 5, error: null },
    ]);
  });

  test('knows its command, attempt, run and tenant', async () => {
    const { done } = startAttempt({
      handlers: [
        seeing((ctx) => ({ key: ctx.idempotencyKey, attempt: ctx.attempt, run: { ...ctx.run }, undoes: ctx.undoes })),
      ],
      header: { d: 12 },
      info: {
        attempt: 3,
        activityId: 'fan[2]/send/4',
        workflowExecution: { workflowId: 'acme/lead-onboarding/e', runId: 'r' },
      },
    });
    expect(await done).toEqual({
      key: 'acme/lead-onboarding/e/fan[2]/send/4',
      attempt: 3,
      run: { id: 'acme/lead-onboarding/e', definitionId: 'lead-onboarding', version: 12, tenant: 'acme' },
      undoes: null,
    });
  });

  test.each([
    ['lead-onboarding/evt-1', 'default'],
    ['acme/lead-onboarding/evt-1', 'acme'],
    ['lead-onboarding/lead-onboarding/evt-1', 'lead-onboarding'],
    ['evt-1', 'default'],
    ['other/thing/evt-1', 'default'],
  ])('of run %s belongs to tenant %s', async (workflowId, tenant) => {
    const { done } = startAttempt({
      handlers: [seeing((ctx) => ctx.run.tenant)],
      info: { workflowExecution: { workflowId, runId: 'r' } },
    });
    expect(await done).toBe(tenant);
  });

  test('run beside the interpreter has its command id from the header', async () => {
    const { done, reports } = startAttempt({
      handlers: [seeing((ctx) => ctx.idempotencyKey)],
      header: { i: 'fan[2]/send/4' },
      info: { isLocal: true, activityId: '17' },
    });
    expect(await done).toBe(`${RUN_ID}/fan[2]/send/4`);
    expect(reports[0]).toMatchObject({ local: true, commandId: `${RUN_ID}/fan[2]/send/4` });
  });

  test('picks the version that the header names, 1 without one', async () => {
    const versions = [1, 2].map((version) =>
      defineCommand({ type: 'v', version, input: z.unknown(), output: z.number(), execute: () => version }),
    );
    expect(await startAttempt({ handlers: versions }).done).toBe(1);
    expect(await startAttempt({ handlers: versions, header: { v: 2 } }).done).toBe(2);
  });

  test('of a command that nobody handles names type, version and what there is, and is not retried', async () => {
    const unknown = await failureOf(startAttempt({ handlers: [assignLead], type: 'send_fax' }).done);
    expect(unknown).toMatchObject({ type: 'HANDLER_NOT_FOUND', nonRetryable: true });
    expect(unknown.message).toBe('no handler for command "send_fax" version 1 on this worker; it has assign_lead');
    const version = await failureOf(startAttempt({ handlers: [assignLead], header: { v: 3 } }).done);
    expect(version.message).toBe('no handler for command "assign_lead" version 3 on this worker; it has version 1');
    expect(version.details).toEqual([{ type: 'assign_lead', version: 3, versions: [1], types: ['assign_lead'] }]);
  });

  test('with a header that cannot be read is retried, and says what to look at', async () => {
    const failure = await failureOf(startAttempt({ handlers: [assignLead], header: { v: 'two' } }).done);
    expect(failure).toMatchObject({ type: 'HANDLER_ERROR', nonRetryable: false });
    expect(failure.message).toContain('are walker and worker of one release?');
  });

  test('is not disturbed by a listener that throws', async () => {
    const { createCommandActivity, createRegistry } = await import('../../activities/index.ts');
    const activity = createCommandActivity({
      registry: createRegistry([assignLead]),
      onAttempt: () => {
        throw new Error('the projection is down');
      },
    });
    const { env } = startAttempt({ handlers: [assignLead], payload: { leadId: '7' } });
    expect(await env.run(activity.activities.default, { leadId: '7' })).toEqual({ ownerId: 'sales:7' });
  });
});

describe('payload and output', () => {
  test('that do not fit their schemas end the command with the paths', async () => {
    const failure = await failureOf(startAttempt({ handlers: [assignLead], payload: { leadId: 7, team: null } }).done);
    expect(failure).toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
    expect(failure.message).toContain(
      'payload of command "assign_lead" version 1 does not fit its schema, at /leadId: ',
    );
    expect(failure.details).toMatchObject([{ issues: [{ path: '/leadId' }, { path: '/team' }] }]);

    const wrong = defineCommand({
      type: 'w',
      input: z.unknown(),
      output,
      execute: () => ({ ownerId: 3 as unknown as string }),
    });
    expect(await failureOf(startAttempt({ handlers: [wrong] }).done)).toMatchObject({
      type: 'OUTPUT_INVALID',
      nonRetryable: true,
      details: [{ issues: [{ path: '/ownerId' }] }],
    });
  });

  test('with a schema that throws says so instead of retrying for ever', async () => {
    const command = defineCommand({
      type: 'x',
      input: z.string().refine(() => {
        throw new Error('no such table');
      }),
      output: z.unknown(),
      execute: () => 1,
    });
    const failure = await failureOf(startAttempt({ handlers: [command], payload: 'a' }).done);
    expect(failure).toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
    expect(failure.message).toContain('cannot be checked: no such table');
  });

  test('over 256 KiB is refused with command, size and limit', async () => {
    const big = defineCommand({ type: 'big', input: z.number(), output: z.string(), execute: (n) => 'x'.repeat(n) });
    const fits = startAttempt({ handlers: [big], payload: 256 * 1024 - 2 });
    expect(await fits.done).toHaveLength(256 * 1024 - 2);
    const failure = await failureOf(startAttempt({ handlers: [big], payload: 256 * 1024 - 1 }).done);
    expect(failure).toMatchObject({ type: 'PAYLOAD_TOO_LARGE', nonRetryable: true });
    expect(failure.message).toBe(
      `output of command "big" version 1 (${RUN_ID}/assign/1) has 262145 bytes of JSON; the limit is 262144`,
    );
  });

  test('nothing returned is null', async () => {
    const quiet = defineCommand({ type: 'quiet', input: z.unknown(), output: z.void(), execute: () => {} });
    expect(await startAttempt({ handlers: [quiet] }).done).toBeNull();
  });
});

describe('an error of a handler', () => {
  test('of its own type crosses with type, details and the word about retries', async () => {
    const thrown = new CommandError('CARD_DECLINED', 'no money', { retryable: false, details: { code: 51 } });
    expect(await failureOf(startAttempt({ handlers: [throwing(thrown)] }).done)).toMatchObject({
      type: 'CARD_DECLINED',
      message: 'no money',
      nonRetryable: true,
      details: [{ code: 51 }],
    });
  });

  test('may be returned as { success: false, error } in place of what the output schema asks for', async () => {
    const error = { message: 'no such lead', leadId: 'L1' };
    const refuse = (): unknown => ({ success: false, error });
    const failure = { type: 'COMMAND_FAILED', message: 'no such lead', nonRetryable: true, details: [error] };
    for (const schema of [z.unknown(), output]) {
      const refusing = defineCommand({
        type: 'refuse',
        input: z.unknown(),
        output: schema as z.ZodUnknown,
        execute: refuse,
        rollback: refuse,
      });
      expect(await failureOf(startAttempt({ handlers: [refusing] }).done)).toMatchObject(failure);
      const payload = { input: null, output: null };
      const undo = startAttempt({ handlers: [refusing], payload, header: { u: 1 } });
      expect(await failureOf(undo.done)).toMatchObject(failure);
    }
  });

  test('of any other kind is HANDLER_ERROR, retried, with the story of its causes', async () => {
    const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    const failure = await failureOf(
      startAttempt({ handlers: [throwing(new TypeError('fetch failed', { cause: refused }))] }).done,
    );
    expect(failure).toMatchObject({ type: 'HANDLER_ERROR', nonRetryable: false });
    expect(failure.message).toBe('TypeError: fetch failed; caused by: ECONNREFUSED');
    expect(failure.stack).toContain('TypeError: fetch failed');
  });

  test("of Temporal's own kind keeps what it says", async () => {
    const thrown = ApplicationFailure.create({
      type: 'BUSY',
      message: 'later',
      nextRetryDelay: 7000,
      details: [{ a: 1 }],
    });
    const info = { retryPolicy: { initialInterval: 1000, maximumAttempts: 3 } };
    expect(await failureOf(startAttempt({ handlers: [throwing(thrown)], info }).done)).toMatchObject({
      type: 'BUSY',
      nonRetryable: false,
      details: [{ a: 1 }],
      nextRetryDelay: 7000,
    });
  });

  test("of Temporal's own kind that is final stays final", async () => {
    const thrown = ApplicationFailure.nonRetryable('gone', 'not_upper_snake');
    expect(await failureOf(startAttempt({ handlers: [throwing(thrown)] }).done)).toMatchObject({
      type: 'HANDLER_ERROR',
      message: 'gone',
      nonRetryable: true,
    });
  });

  test('is cut to 4 KiB of message and 8 KiB of stack, never through a character', async () => {
    const failure = await failureOf(startAttempt({ handlers: [throwing(new Error('é'.repeat(3_000_000)))] }).done);
    expect(Buffer.byteLength(failure.message)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(failure.message)).toBeGreaterThan(4090);
    expect(Buffer.byteLength(failure.stack ?? '')).toBeLessThanOrEqual(8192);
    expect(failure.message).toMatch(/^é+…$/u);
  });

  test.each([
    ['too large', 'x'.repeat(300_000), /300002 bytes/],
    ['no JSON', { n: 1n }, /a bigint is no JSON/],
  ])('with details that are %s keeps everything but them', async (_, details, note) => {
    const thrown = new CommandError('ODD', 'odd', { details: details as never });
    const failure = await failureOf(startAttempt({ handlers: [throwing(thrown)] }).done);
    expect(failure).toMatchObject({ type: 'ODD', message: 'odd' });
    expect(JSON.stringify(failure.details)).toMatch(note);
  });

  test('tells the listener its type and whether another attempt follows', async () => {
    const info = { retryPolicy: { initialInterval: 1000, maximumAttempts: 2, nonRetryableErrorTypes: ['FATAL'] } };
    const willRetry = async (type: string, attempt: number) => {
      const started = startAttempt({ handlers: [throwing(new CommandError(type, 'x'))], info: { ...info, attempt } });
      await failureOf(started.done);
      return started.reports.at(-1);
    };
    expect(await willRetry('BUSY', 1)).toMatchObject({
      phase: 'failed',
      willRetry: true,
      error: { type: 'BUSY', message: 'x' },
    });
    expect(await willRetry('BUSY', 2)).toMatchObject({ willRetry: false });
    expect(await willRetry('FATAL', 1)).toMatchObject({ willRetry: false });
  });
});

describe('a rollback', () => {
  const taken: unknown[] = [];
  const withRollback = defineCommand({
    type: 'assign_lead',
    input,
    output,
    execute: () => ({ ownerId: 'o' }),
    rollback: (given, made, ctx) => {
      taken.push({ given, made, key: ctx.idempotencyKey, undoes: ctx.undoes });
      return 'ignored';
    },
  });

  test('is given input and output of the command that it takes back, under a key of its own', async () => {
    const { done } = startAttempt({
      handlers: [withRollback],
      header: { u: 1 },
      payload: { input: { leadId: '7' }, output: { ownerId: 'o' } },
      info: { activityId: 'assign/1/undo' },
    });
    expect(await done).toBeNull();
    expect(taken).toEqual([
      {
        given: { leadId: '7', team: 'sales' },
        made: { ownerId: 'o' },
        key: `${RUN_ID}/assign/1/undo`,
        undoes: `${RUN_ID}/assign/1`,
      },
    ]);
  });

  test('of a handler that has none is HANDLER_NOT_FOUND', async () => {
    const failure = await failureOf(startAttempt({ handlers: [assignLead], header: { u: 1 }, payload: {} }).done);
    expect(failure).toMatchObject({ type: 'HANDLER_NOT_FOUND', nonRetryable: true });
    expect(failure.message).toContain('the handler of command "assign_lead" version 1 has no rollback');
  });
});

describe('a cancelled attempt', () => {
  const waiting = (whenAborted: (reason: unknown) => unknown) =>
    seeing(async (ctx) => {
      ctx.heartbeat();
      await once(ctx.signal, 'abort');
      return whenAborted(ctx.signal.reason);
    });
  const rethrow = (reason: unknown): never => {
    throw reason;
  };

  test('that passes the cancellation on is cancelled for Temporal too', async () => {
    for (const abort of [rethrow, () => rethrow(new DOMException('stopped', 'AbortError'))]) {
      const { done, env, reports } = startAttempt({ handlers: [waiting(abort)] });
      await once(env, 'heartbeat');
      env.cancel('CANCELLED');
      await expect(done).rejects.toBeInstanceOf(CancelledFailure);
      expect(reports.at(-1)).toMatchObject({ phase: 'failed', error: { type: 'CANCELLED' }, willRetry: null });
    }
  });

  test('may finish its work, and the result counts', async () => {
    const { done, env } = startAttempt({ handlers: [waiting(() => 'finished')] });
    await once(env, 'heartbeat');
    env.cancel('CANCELLED');
    expect(await done).toBe('finished');
  });

  test('may fail with an error of its own', async () => {
    const { done, env } = startAttempt({
      handlers: [waiting(() => rethrow(new CommandError('HALF_DONE', 'stopped midway')))],
    });
    await once(env, 'heartbeat');
    env.cancel('CANCELLED');
    expect(await failureOf(done)).toMatchObject({ type: 'HALF_DONE' });
  });

  test('is an ordinary error when nobody asked it to stop', async () => {
    const failure = await failureOf(
      startAttempt({ handlers: [throwing(new DOMException('too slow', 'AbortError'))] }).done,
    );
    expect(failure).toMatchObject({ type: 'HANDLER_ERROR', message: 'AbortError: too slow' });
  });

  test.each(['TIMED_OUT', 'NOT_FOUND'] as const)(
    'that never returns frees its slot once the server gave up (%s)',
    async (reason) => {
      const { done, env } = startAttempt({ handlers: [seeing(() => new Promise(() => {}))] });
      env.cancel(reason);
      await expect(done).rejects.toThrow(reason);
    },
  );
});

describe('heartbeats', () => {
  test('carry JSON, and the next attempt sees the last of them', async () => {
    const { done, heartbeats } = startAttempt({
      handlers: [
        seeing((ctx) => {
          ctx.heartbeat();
          ctx.heartbeat({ chunk: 61, at: new Date(0) });
          return ctx.heartbeatDetails;
        }),
      ],
      info: { heartbeatDetails: { chunk: 60 } },
    });
    expect(await done).toEqual({ chunk: 60 });
    expect(heartbeats).toEqual([undefined, { chunk: 61, at: '1970-01-01T00:00:00.000Z' }]);
  });

  test('with details that cannot be sent fail where they are made', async () => {
    const failure = await failureOf(startAttempt({ handlers: [seeing((ctx) => ctx.heartbeat({ n: 1n }))] }).done);
    expect(failure).toMatchObject({ type: 'OUTPUT_INVALID' });
    expect(failure.message).toBe('details of the heartbeat, at /n: a bigint is no JSON');
  });
});
