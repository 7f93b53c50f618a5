/** The handlers of an operations team: load balancer, hosts, pager. */
import { CommandError, defineCommand } from 'fermata/activities';
import { z } from 'zod';
import { exampleService } from '../example-service.ts';

const operations = exampleService('operations');
export const closeOperations = operations.close;

const host = z.object({ host: z.string() });
const done = z.object({ change: z.string() });

export const drainHost = defineCommand({
  type: 'drain_host',
  input: host,
  output: done,
  async execute(payload, ctx) {
    if (payload.host.startsWith('last-')) {
      throw new CommandError('DRAIN_REFUSED', `${payload.host} is the last one that takes traffic`, {
        retryable: false,
      });
    }
    return { change: await operations.perform(ctx.idempotencyKey, 'drain', payload) };
  },
  async rollback(_input, { change }) {
    await operations.takeBack(change);
  },
});

export const restartService = defineCommand({
  type: 'restart_service',
  input: host.extend({ service: z.string() }),
  output: done,
  async execute(payload, ctx) {
    return { change: await operations.perform(ctx.idempotencyKey, 'restart', payload) };
  },
});

export const deleteOldLogs = defineCommand({
  type: 'delete_old_logs',
  input: host,
  output: done,
  async execute(payload, ctx) {
    return { change: await operations.perform(ctx.idempotencyKey, 'delete logs', payload) };
  },
});

export const refillHost = defineCommand({
  type: 'refill_host',
  input: host,
  output: done,
  async execute(payload, ctx) {
    return { change: await operations.perform(ctx.idempotencyKey, 'refill', payload) };
  },
});

export const pagePerson = defineCommand({
  type: 'page_person',
  input: z.object({ person: z.string(), text: z.string() }),
  output: z.object({ page: z.string() }),
  async execute(payload, ctx) {
    return { page: await operations.perform(ctx.idempotencyKey, 'page', payload) };
  },
});

export const commands = [drainHost, restartService, deleteOldLogs, refillHost, pagePerson];
