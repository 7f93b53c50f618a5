import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CommandError } from '../../activities/command-error.ts';
import { defineCommand } from '../../activities/define-command.ts';
import type { Definition } from '../../definitions/types.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { type ClientBench, startClientBench } from './setup.ts';

let bench: ClientBench;
const double = defineCommand({
  type: 'double',
  input: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
  execute: async ({ n }) => ({ n: n * 2 }),
});
const fatal = defineCommand({
  type: 'fatal',
  input: z.object({}),
  output: z.null(),
  async execute() {
    throw new CommandError('NO_STOCK', 'nothing left', { retryable: false });
  },
});

const doubling: Definition = {
  id: 'doubling',
  input: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
  entity: { type: 'number', id: '${string(input.n)}' },
  nodes: [{ id: 'twice', type: 'action', config: { command: 'double', payload: { n: '${input.n}' } } }],
};
const napping: Definition = {
  id: 'napping',
  vars: { mood: 'tired' },
  nodes: [{ id: 'nap', name: 'A nap', type: 'delay', config: { duration: '1h' } }],
};
const failing: Definition = { id: 'failing', nodes: [{ id: 'boom', type: 'action', config: { command: 'fatal' } }] };

beforeAll(async () => {
  bench = await startClientBench({ commands: [double, fatal] });
  for (const definition of [doubling, napping, failing]) await bench.fermata.definitions.publish(definition);
});
afterAll(() => bench.stop());

describe('start', () => {
  it('runs the active version with an input and gives its result, rows and document', async () => {
    const { fermata, tenant } = bench;
    const id = uniqueName('s');
    const run = await fermata.runs.start('doubling', { input: { n: 4 }, id, initiator: 'ann' });
    expect(run).toMatchObject({ id: `${tenant}/doubling/${id}`, definitionId: 'doubling', version: 1 });
    expect(await run.result()).toEqual({ n: 8 });
    await vi.waitFor(async () => {
      expect(await run.show()).toMatchObject({
        runId: run.id,
        state: 'completed',
        output: { n: 8 },
        trace: [{ nodeId: 'twice', outcome: 'success' }],
        commands: [{ commandId: `${run.id}/twice/1`, state: 'success', attempts: 1 }],
      });
    }, 10_000);
    const { items } = await fermata.runs.list({ entity: { type: 'number', id: '4' } });
    expect(items).toMatchObject([{ runId: run.id, initiator: { id: 'ann', kind: 'user' }, state: 'completed' }]);
  });

  it('gives a run a readable id of its own where none is given', async () => {
    const { fermata, tenant } = bench;
    const run = await fermata.runs.start('doubling', { input: { n: 1 } });
    expect(run.id).toMatch(new RegExp(`^${tenant}/doubling/[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$`));
    expect((await fermata.runs.get(run.id)).definitionId).toBe('doubling');
  });

  it('answers ten equal starts at once with one id, and a later one, with the one run', async () => {
    const { fermata } = bench;
    const id = uniqueName('same');
    const start = () => fermata.runs.start('doubling', { input: { n: 2, of: 'a' }, id });
    const runs = await Promise.all(Array.from({ length: 10 }, start));
    expect(new Set(runs.map((run) => run.id)).size).toBe(1);
    expect(await runs[0]?.result()).toEqual({ n: 4 });
    const later = await fermata.runs.start('doubling', { input: { of: 'a', n: 2 }, id, version: 1 });
    expect(later.id).toBe(runs[0]?.id);
    const { items } = await fermata.runs.list({ entity: { type: 'number', id: '2' } });
    expect(items).toHaveLength(1);
  });

  it('refuses an id that began with another input or version, also at once', async () => {
    const { fermata } = bench;
    const id = uniqueName('other');
    const starts = await Promise.allSettled([21, 22].map((n) => fermata.runs.start('doubling', { input: { n }, id })));
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [winner] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const { input } = await fermata.store.runs.get(winner?.id ?? '');
    await fermata.definitions.publish({ ...doubling, description: 'the same once more' }, { activate: false });
    await expect(fermata.runs.start('doubling', { input, id, version: 2 })).rejects.toMatchObject({
      code: 'run.already_exists',
    });
  });

  it('takes up a start that was registered and never begun', async () => {
    const { fermata, tenant } = bench;
    const { hash } = await fermata.definitions.show('doubling');
    const id = uniqueName('interrupted');
    const runId = `${tenant}/doubling/${id}`;
    const initiator = { id: 'client', kind: 'user' as const };
    const row = { runId, definitionId: 'doubling', version: 1, hash, input: { n: 3 }, eventId: null, initiator };
    await fermata.store.runs.register({ ...row, entity: null });
    await expect(fermata.runs.start('doubling', { input: { n: 99 }, id })).rejects.toMatchObject({
      code: 'run.already_exists',
    });
    const run = await fermata.runs.start('doubling', { input: { n: 3 }, id });
    expect(await run.result()).toEqual({ n: 6 });
  });

  it("goes through a worker's own connection as well", async () => {
    const connection = await NativeConnection.connect({ address: temporalAddress() });
    const client = new Client({ connection, namespace: temporalNamespace() });
    const fermata = await bench.connect({ temporal: { client } });
    const run = await fermata.runs.start('doubling', { input: { n: 6 } });
    expect(await run.result()).toEqual({ n: 12 });
    await expect(fermata.runs.start('doubling', { input: { n: 6 }, version: 7 })).rejects.toMatchObject({
      code: 'definition.version_not_found',
    });
    await connection.close();
  });

  it('starts a disabled definition by hand', async () => {
    const { fermata } = bench;
    await fermata.definitions.publish({ ...doubling, id: 'off', enabled: false });
    const run = await fermata.runs.start('off', { input: { n: 5 } });
    expect(await run.result()).toEqual({ n: 10 });
  });

  it('refuses what cannot start, and leaves no run behind', async () => {
    const { runs } = bench.fermata;
    const id = uniqueName('refused');
    await expect(runs.start('nobody', { id })).rejects.toMatchObject({ code: 'definition.not_found' });
    await expect(runs.start('doubling', { id, version: 9 })).rejects.toMatchObject({
      code: 'definition.version_not_found',
    });
    await expect(runs.start('doubling', { id, input: { n: 'x' } })).rejects.toMatchObject({
      code: 'run.input_invalid',
      details: { errors: [{ path: '/n' }] },
    });
    await expect(runs.start('napping', { id, input: 'x'.repeat(256 * 1024) })).rejects.toMatchObject({
      code: 'input.too_large',
    });
    await expect(runs.start('napping', { id: '' })).rejects.toMatchObject({ code: 'usage.invalid' });
    expect((await runs.list({ limit: 200 })).items.filter((run) => run.runId.includes(id))).toEqual([]);
  });
});

describe('an open run', () => {
  it('is shown with what it waits for and its variables, at once', async () => {
    const run = await bench.fermata.runs.start('napping');
    const document = await run.show();
    expect(document).toMatchObject({
      state: 'running',
      completedAt: null,
      trace: [{ nodeId: 'nap', outcome: null }],
      waiting: [{ nodeId: 'nap', kind: 'delay' }],
      vars: { mood: 'tired' },
    });
    expect(await run.state()).toMatchObject({ state: 'running', nodeId: 'nap' });
    await run.cancel();
  });

  it('is cancelled with who and why, and then cannot be cancelled again', async () => {
    const { fermata } = bench;
    const run = await fermata.runs.start('napping');
    await run.cancel({ reason: 'changed my mind', by: 'ann' });
    await expect(run.result()).rejects.toMatchObject({ code: 'run.cancelled' });
    await vi.waitFor(async () => {
      const document = await run.show();
      expect(document.state).toBe('cancelled');
      expect(document.error?.message).toContain('changed my mind');
    }, 10_000);
    await expect(run.cancel()).rejects.toMatchObject({ code: 'run.invalid_transition' });
  });

  it('is waited for no longer than was asked', async () => {
    const run = await bench.fermata.runs.start('napping');
    await expect(run.result({ timeoutMs: 200 })).rejects.toMatchObject({ code: 'run.wait_timeout', retryable: true });
    await run.cancel();
  });

  it('is watched from its beginning to its end', async () => {
    const run = await bench.fermata.runs.start('napping');
    const states: string[] = [];
    for await (const document of run.watch({ everyMs: 50 })) {
      states.push(document.state);
      if (document.waiting.length > 0) await run.cancel();
    }
    expect(states.at(-1)).toBe('cancelled');
    expect(states).toContain('running');
  });
});

describe('a run that failed', () => {
  it('throws its error with type, node and message', async () => {
    const run = await bench.fermata.runs.start('failing');
    await expect(run.result()).rejects.toMatchObject({
      code: 'run.failed',
      details: { runId: run.id, error: { type: 'NO_STOCK', message: 'nothing left', nodeId: 'boom' } },
    });
  });

  it('keeps its result in the rows when Temporal has forgotten it', async () => {
    const { fermata } = bench;
    const [failed, completed] = [
      await fermata.runs.start('failing'),
      await fermata.runs.start('doubling', { input: { n: 21 } }),
    ];
    for (const run of [failed, completed]) {
      await run.result().catch(() => undefined);
      await vi.waitFor(async () => expect((await run.show()).completedAt).not.toBeNull(), 10_000);
      await forget(run.id);
    }
    await expect(failed.result()).rejects.toMatchObject({
      code: 'run.failed',
      details: { error: { type: 'NO_STOCK' } },
    });
    expect(await completed.result()).toEqual({ n: 42 });
    await expect(failed.state()).rejects.toMatchObject({ code: 'run.not_found' });
  });
});

describe('another tenant', () => {
  it('does not see, wait for or cancel a run', async () => {
    const run = await bench.fermata.runs.start('napping');
    const other = await bench.connect({ tenant: uniqueName('other') });
    const refusal = { code: 'run.not_found' };
    await expect(other.runs.get(run.id)).rejects.toMatchObject(refusal);
    await expect(other.runs.show(run.id)).rejects.toMatchObject(refusal);
    await expect(other.runs.result(run.id)).rejects.toMatchObject(refusal);
    await expect(other.runs.cancel(run.id)).rejects.toMatchObject(refusal);
    await expect(other.runs.watch(run.id).next()).rejects.toMatchObject(refusal);
    expect((await run.show()).state).toBe('running');
    await run.cancel();
  });
});

async function forget(workflowId: string): Promise<void> {
  const { temporal, settings } = bench.fermata;
  const { namespace } = settings.temporal;
  await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  await vi.waitFor(
    () =>
      expect(temporal.workflow.getHandle(workflowId).describe()).rejects.toMatchObject({
        name: 'WorkflowNotFoundError',
      }),
    { timeout: 60_000, interval: 500 },
  );
}
