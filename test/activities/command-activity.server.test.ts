import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type AttemptReport,
  CommandError,
  createCommandActivity,
  createRegistry,
  defineCommand,
  environmentSecrets,
} from '../../activities/index.ts';
import { connectTemporal, temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import type { Answer, Order } from './fixtures/order-command.ts';

const keys: string[] = [];
const failTwice = defineCommand({
  type: 'fail_twice',
  version: 2,
  input: z.object({ token: z.string() }),
  output: z.object({ key: z.string(), version: z.number().nullable() }),
  execute({ token }, ctx) {
    keys.push(ctx.idempotencyKey);
    if (ctx.attempt < 3) throw new CommandError('BUSY', `503 for ${token.toUpperCase()}`, { details: { token } });
    return { key: ctx.idempotencyKey, version: ctx.run.version };
  },
});
const neverReturns = defineCommand({
  type: 'never_returns',
  input: z.unknown(),
  output: z.unknown(),
  execute: () => new Promise(() => {}),
});
const screams = defineCommand({
  type: 'screams',
  input: z.number(),
  output: z.unknown(),
  execute(bytes) {
    throw new CommandError('LOUD', 'x'.repeat(bytes), { retryable: false });
  },
});
const stops = defineCommand({
  type: 'stops',
  input: z.unknown(),
  output: z.unknown(),
  async execute(_, ctx) {
    const beat = setInterval(() => ctx.heartbeat(), 50);
    await once(ctx.signal, 'abort').finally(() => clearInterval(beat));
    throw ctx.signal.reason;
  },
});

const taskQueue = uniqueName('commands');
const reports: AttemptReport[] = [];
let client: Client;
let worker: Worker;
let running: Promise<void>;
let connection: NativeConnection;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  client = await connectTemporal();
  connection = await NativeConnection.connect({ address: temporalAddress() });
  const fixture = fileURLToPath(new URL('./fixtures/order-command.ts', import.meta.url));
  const commands = createCommandActivity({
    registry: createRegistry([failTwice, neverReturns, screams, stops]),
    secrets: [environmentSecrets({ FERMATA_SECRET_UPLOAD_TOKEN: 'tok-EXAMPLE-2' })],
    onAttempt: (report) => reports.push(report),
  });
  worker = await Worker.create({
    connection,
    namespace: temporalNamespace(),
    taskQueue,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: fixture,
      workflowInterceptorModules: [fixture],
      logger: new DefaultLogger('ERROR'),
    }),
    activities: commands.activities,
    interceptors: { activity: [commands.interceptor] },
    maxConcurrentActivityTaskExecutions: 1,
  });
  running = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
  await client.connection.close();
});

async function start(order: Order) {
  return client.workflow.start<(order: Order) => Promise<Answer>>('orderCommand', {
    taskQueue,
    workflowId: `orderCommand/${uniqueName('evt')}`,
    args: [order],
  });
}

describe('on a real server', () => {
  test('attempts of one command share their key, and no spelling of a secret is in the history', async () => {
    const run = await start({
      type: 'fail_twice',
      payload: { token: { $secret: 'upload/token' } },
      header: { v: 2, d: 7, j: 1, s: ['/token'] },
      options: {
        activityId: 'upload/1',
        startToCloseTimeout: '5s',
        retry: { initialInterval: '20ms', maximumAttempts: 3 },
      },
    });
    const key = `${run.workflowId}/upload/1`;
    expect(await run.result()).toEqual({ output: { key, version: 7 } });
    expect(keys).toEqual([key, key, key]);
    expect(
      reports.filter(({ commandId }) => commandId === key).map(({ phase, attempt }) => `${phase} ${attempt}`),
    ).toEqual(['started 1', 'failed 1', 'started 2', 'failed 2', 'started 3', 'succeeded 3']);
    const history = await run.fetchHistory();
    const failure = history.events?.flatMap((event) => event.activityTaskStartedEventAttributes?.lastFailure ?? [])[0];
    expect(failure?.message).toBe('503 for ***');
    expect(failure?.stackTrace?.split('\n').slice(1)).toEqual([
      expect.stringContaining('command-activity.server.test.ts'),
    ]);
    const text = decoded(history);
    expect(text).toContain('upload/token');
    for (const secret of ['tok-EXAMPLE-2', 'TOK-EXAMPLE-2']) expect(text).not.toContain(secret);
  });

  test('a message of 3 MB is reported at once and not retried', async () => {
    const run = await start({ type: 'screams', payload: 3_000_000, options: { startToCloseTimeout: '60s' } });
    const answer = await run.result();
    expect(answer).toMatchObject({ type: 'LOUD' });
    expect('message' in answer && Buffer.byteLength(answer.message)).toBeLessThanOrEqual(4096);
  });

  test('an unknown command is answered, not retried', async () => {
    const run = await start({ type: 'new_cmd', payload: null, options: { startToCloseTimeout: '60s' } });
    expect(await run.result()).toMatchObject({ type: 'HANDLER_NOT_FOUND' });
  });

  test('a handler that passes its cancellation on is cancelled', async () => {
    const run = await start({
      type: 'stops',
      payload: null,
      options: {
        activityId: 'stops/1',
        startToCloseTimeout: '60s',
        heartbeatTimeout: '1s',
        cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      },
    });
    await expect.poll(() => reports.some(({ commandId }) => commandId === `${run.workflowId}/stops/1`)).toBe(true);
    await run.cancel();
    expect(await run.result()).toMatchObject({ type: 'CANCELLED' });
    expect(reports.at(-1)).toMatchObject({ phase: 'failed', error: { type: 'CANCELLED' } });
  });

  test('a handler that never returns times out, and the only slot of the worker is free again', async () => {
    const hung = await start({
      type: 'never_returns',
      payload: null,
      options: { startToCloseTimeout: '500ms', retry: { maximumAttempts: 1 } },
    });
    expect(await hung.result()).toEqual({ type: 'TIMEOUT', message: 'START_TO_CLOSE' });
    const next = await start({ type: 'screams', payload: 1, options: { startToCloseTimeout: '60s' } });
    expect(await next.result()).toEqual({ type: 'LOUD', message: 'x' });
  });
});

/** A history as text, its payloads decoded. */
function decoded(history: object): string {
  return JSON.stringify(history).replace(/"data":"([^"]*)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
}
