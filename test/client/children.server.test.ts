/** Runs that runs begin, on real servers: as child workflows, with rows and documents of their own. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CommandError } from '../../activities/command-error.ts';
import { defineCommand } from '../../activities/define-command.ts';
import type { RunHandle } from '../../client/index.ts';
import type { ErrorInfo } from '../../definitions/errors.ts';
import type { RunDocument } from '../../definitions/records.ts';
import type { Definition, Node } from '../../definitions/types.ts';
import { replayHistories } from '../../testing/index.ts';
import { temporalAddress, temporalNamespace, uniqueName } from '../setup/temporal.ts';
import { type ClientBench, startClientBench } from './setup.ts';

const undone: string[] = [];
const pack = defineCommand({
  type: 'pack',
  input: z.object({ sku: z.string() }),
  output: z.object({ parcel: z.string() }),
  async execute({ sku }) {
    if (sku === 'gone') throw new CommandError('NO_STOCK', 'none left', { retryable: false, details: { sku } });
    return { parcel: `P-${sku}` };
  },
  async rollback(_input, { parcel }, ctx) {
    undone.push(`${ctx.run.id} ${parcel}`);
  },
});

let bench: ClientBench;
let byHand: { readonly queue: string; stop(): Promise<void> };

beforeAll(async () => {
  bench = await startClientBench({ commands: [pack] });
  byHand = await startByHand();
  for (const definition of [shipping, napping]) await bench.fermata.definitions.publish(definition);
});
afterAll(async () => {
  await byHand.stop();
  await bench.stop();
});

/** A worker of hand-written workflows, on a queue of its own. */
async function startByHand() {
  const queue = uniqueName('by-hand');
  const connection = await NativeConnection.connect({ address: temporalAddress() });
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: new URL('fixtures/by-hand.ts', import.meta.url).pathname,
    logger: new DefaultLogger('WARN'),
  });
  const worker = await Worker.create({ connection, namespace: temporalNamespace(), taskQueue: queue, workflowBundle });
  const running = worker.run();
  return {
    queue,
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

const packing: Node = {
  id: 'pack',
  type: 'action',
  config: { command: 'pack', payload: { sku: '${input.sku}' }, undo: true },
};
const shipping: Definition = {
  id: 'shipping',
  input: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } },
  entity: { type: 'sku', id: '${input.sku}' },
  nodes: [packing],
};
/** Packs, and then waits until it is let go or cancelled. */
const napping: Definition = {
  id: 'napping',
  enabled: false,
  output: 'version one',
  nodes: [
    { ...packing, nextNodeId: 'nap' },
    { id: 'nap', type: 'approval', config: { title: 'Wake up' } },
  ],
};

let made = 0;
/** Publishes and starts a definition with one `workflow` node. */
async function begin(config: object, more: object = {}, rest: readonly Node[] = []): Promise<RunHandle> {
  const { fermata } = bench;
  const ship = { id: 'ship', name: 'Ship it', type: 'workflow', config, ...more } as Node;
  const id = `order${++made}`;
  await fermata.definitions.publish({ id, nodes: [ship, ...rest] });
  return await fermata.runs.start(id, { input: { sku: 'A' }, id: '7' });
}

const childOf = (run: RunHandle): string => {
  const [tenant, definitionId] = run.id.split('/');
  return `${tenant}/NAME/${definitionId}:7:ship:1`;
};
const shippingOf = (run: RunHandle): string => childOf(run).replace('NAME', 'shipping');
const nappingOf = (run: RunHandle): string => childOf(run).replace('NAME', 'napping');

async function failureOf(run: RunHandle): Promise<ErrorInfo> {
  const thrown = await run.result().catch((error: unknown) => error);
  return (thrown as { details: { error: ErrorInfo } }).details.error;
}

async function shown(runId: string, that: (document: RunDocument) => void): Promise<RunDocument> {
  return await vi.waitFor(
    async () => {
      const document = await bench.fermata.runs.show(runId);
      that(document);
      return document;
    },
    { timeout: 20_000, interval: 100 },
  );
}

async function waitsAtNap(runId: string): Promise<void> {
  await shown(runId, ({ waiting }) => expect(waiting).toMatchObject([{ nodeId: 'nap' }]));
}

async function wake(runId: string): Promise<void> {
  await bench.fermata.approvals.decide(`${runId}/nap/1`, { outcome: 'approved', by: { id: 'ann' } });
}

async function historyOf(runId: string) {
  return await bench.fermata.temporal.workflow.getHandle(runId).fetchHistory();
}

async function expectReplay(...runIds: string[]): Promise<void> {
  const histories = await Promise.all(
    runIds.map(async (workflowId) => ({
      workflowId,
      history: JSON.parse(historyToJSON(await historyOf(workflowId))) as unknown,
    })),
  );
  const clean = runIds.map((workflowId) => ({ workflowId, error: null, differences: [] }));
  expect(await replayHistories(histories)).toEqual(clean);
}

describe('a child of a definition', () => {
  it('is an ordinary run, its output is that of the node, and their documents name each other', async () => {
    const { fermata, tenant } = bench;
    const run = await begin({ definitionId: 'shipping', input: { sku: '${input.sku}' } });
    const childId = shippingOf(run);
    expect(await run.result()).toEqual({ parcel: 'P-A' });
    await shown(run.id, (document) =>
      expect(document).toMatchObject({
        state: 'completed',
        trace: [{ nodeId: 'ship', type: 'workflow', outcome: 'success' }],
        children: [
          {
            nodeId: 'ship',
            runId: childId,
            definitionId: 'shipping',
            workflowType: null,
            version: 1,
            state: 'completed',
          },
        ],
      }),
    );
    await shown(childId, (document) =>
      expect(document).toMatchObject({
        state: 'completed',
        parent: run.id,
        version: 1,
        commands: [{ nodeId: 'pack' }],
      }),
    );
    const { items } = await fermata.runs.list({ definitionId: 'shipping', entity: { type: 'sku', id: 'A' } });
    expect(items).toMatchObject([{ runId: childId, initiator: { id: run.id, kind: 'run' } }]);

    const described = await fermata.temporal.workflow.getHandle(childId).describe();
    expect(described).toMatchObject({ type: 'shipping', parentExecution: { workflowId: run.id } });
    expect(await described.staticSummary()).toBe('Ship it');
    expect(described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
      expect.arrayContaining([
        ['FermataState', 'running'],
        ['FermataTenant', tenant],
        ['FermataVersion', 1],
        ['FermataEntity', 'sku:A'],
      ]),
    );
    const { events } = await historyOf(run.id);
    // Started, a task, the marker of the registration, initiated, started and completed with a task each, completed.
    expect(events).toHaveLength(15);
    await expectReplay(run.id, childId);
  });

  it('shows what the run waits for, of which version, and stays on that version when another is published', async () => {
    const { fermata } = bench;
    const run = await begin({ definitionId: 'napping', input: { sku: 'A' } });
    const childId = nappingOf(run);
    await waitsAtNap(childId);
    await shown(run.id, (document) =>
      expect(document).toMatchObject({
        waiting: [{ nodeId: 'ship', kind: 'workflow', for: `the run ${childId} of napping version 1` }],
        children: [{ runId: childId, version: 1, state: 'running' }],
      }),
    );
    const published = await fermata.definitions.publish({ ...napping, output: 'version two' });
    expect(published).toMatchObject({ version: 2, active: true });
    await wake(childId);
    expect(await run.result()).toBe('version one');

    const next = await begin({ definitionId: 'napping', input: { sku: 'A' } });
    await waitsAtNap(nappingOf(next));
    await wake(nappingOf(next));
    expect(await next.result()).toBe('version two');
    const pinned = await begin({ definitionId: 'napping', version: 1, input: { sku: 'A' } });
    await waitsAtNap(nappingOf(pinned));
    await wake(nappingOf(pinned));
    expect(await pinned.result()).toBe('version one');
  });

  it('that fails is CHILD_FAILED with its id, and its error as the cause', async () => {
    const run = await begin({ definitionId: 'shipping', input: { sku: 'gone' } });
    expect(await failureOf(run)).toMatchObject({
      type: 'CHILD_FAILED',
      nodeId: 'ship',
      details: { runId: shippingOf(run) },
      cause: { type: 'NO_STOCK', message: 'none left', nodeId: 'pack', details: { sku: 'gone' } },
    });
    await expectReplay(run.id, shippingOf(run));
  });

  it('is refused at the node for its input, and for a definition that is not there', async () => {
    const wrong = await begin({ definitionId: 'shipping', input: { sku: 7 } });
    expect(await failureOf(wrong)).toMatchObject({
      type: 'INPUT_INVALID',
      nodeId: 'ship',
      details: { errors: [{ path: '/sku' }] },
    });
    const unknown = await begin({ definitionId: 'nobody' });
    expect(await failureOf(unknown)).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'DEFINITION_NOT_FOUND' } });
    await expect(bench.fermata.runs.get(shippingOf(wrong))).rejects.toMatchObject({ code: 'run.not_found' });
  });

  it('is cancelled with the run, which ends when the child has undone what it did', async () => {
    const run = await begin({ definitionId: 'napping', input: { sku: 'A' } });
    const childId = nappingOf(run);
    await waitsAtNap(childId);
    await run.cancel({ reason: 'changed my mind' });
    await expect(run.result()).rejects.toMatchObject({ code: 'run.cancelled' });
    expect(undone).toContain(`${childId} P-A`);
    expect((await bench.fermata.temporal.workflow.getHandle(childId).describe()).status.name).toBe('CANCELLED');
    await shown(childId, ({ state }) => expect(state).toBe('cancelled'));
    await expectReplay(run.id, childId);
  });

  it('that somebody else cancels has failed, for the run', async () => {
    const run = await begin({ definitionId: 'napping', input: { sku: 'A' } });
    await waitsAtNap(nappingOf(run));
    await bench.fermata.runs.cancel(nappingOf(run), { reason: 'no room' });
    expect(await failureOf(run)).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'CANCELLED' } });
  });

  it('is cancelled and awaited when the timeout of the node has passed', async () => {
    const run = await begin({ definitionId: 'napping', input: { sku: 'A' }, timeout: '2s' });
    expect(await failureOf(run)).toMatchObject({
      type: 'TIMEOUT',
      nodeId: 'ship',
      details: { runId: nappingOf(run) },
    });
    expect(undone).toContain(`${nappingOf(run)} P-A`);
    await expectReplay(run.id, nappingOf(run));
  });

  it('goes on after the run when it is detached, whether that completes or is cancelled', async () => {
    const detached = { definitionId: 'napping', input: { sku: 'A' }, wait: false };
    const done = await begin(detached);
    expect(await done.result()).toEqual({ runId: nappingOf(done) });
    const cancelled = await begin(detached, { nextNodeId: 'wait' }, [
      { id: 'wait', type: 'delay', config: { duration: '1h' } },
    ]);
    await shown(cancelled.id, ({ waiting }) => expect(waiting).toMatchObject([{ nodeId: 'wait' }]));
    await cancelled.cancel();
    await expect(cancelled.result()).rejects.toMatchObject({ code: 'run.cancelled' });
    for (const run of [done, cancelled]) {
      await waitsAtNap(nappingOf(run));
      await wake(nappingOf(run));
      expect(await bench.fermata.runs.result(nappingOf(run))).toMatch(/^version/);
    }
  });
});

describe('a start that finds its child there already', () => {
  it('takes the output of the run that it began before, as after a reset', async () => {
    const { fermata } = bench;
    const run = await begin({ definitionId: 'shipping', input: { sku: 'A' } }, { nextNodeId: 'nap' }, [
      { id: 'nap', type: 'approval', config: { title: 'Wake up' } },
    ]);
    await waitsAtNap(run.id);
    const { namespace } = fermata.settings.temporal;
    const before = await historyOf(run.id);
    const firstTask = before.events?.find((event) => event.workflowTaskCompletedEventAttributes);
    await fermata.temporal.workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId: run.id },
      workflowTaskFinishEventId: firstTask?.eventId ?? null,
      requestId: uniqueName('reset'),
      reason: 'test',
    });
    await vi.waitFor(async () => {
      const { events } = await historyOf(run.id);
      const types = (events ?? []).flatMap(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
      );
      expect(types).toEqual(['fermata.awaitChild']);
    }, 20_000);
    await vi.waitFor(() => wake(run.id), { timeout: 20_000, interval: 200 });
    expect(await run.result()).toMatchObject({ outcome: 'approved' });
    await expectReplay(run.id, shippingOf(run));
    const { items } = await fermata.runs.list({ definitionId: 'shipping', limit: 200 });
    expect(items.filter(({ runId }) => runId === shippingOf(run))).toHaveLength(1);
  });

  it('is refused where somebody else began that run', async () => {
    const { fermata } = bench;
    const next = `order${made + 1}`;
    await fermata.runs.start('shipping', { input: { sku: 'A' }, id: `${next}:7:ship:1` });
    const run = await begin({ definitionId: 'shipping', input: { sku: 'A' } });
    expect(await failureOf(run)).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'RUN_ALREADY_EXISTS' } });
  });
});

describe('a child whose definition has a key', () => {
  const keyed = (onConflict: 'queue' | 'join' | 'reject'): Definition => ({
    ...napping,
    id: `keyed-${onConflict}`,
    key: { value: '${input.sku}', onConflict },
    output: '${run.id}',
  });

  it('waits for its turn, joins the run that is there, or is refused', async () => {
    const { fermata, tenant } = bench;
    for (const onConflict of ['queue', 'join', 'reject'] as const) await fermata.definitions.publish(keyed(onConflict));
    const starts = ['queue', 'join', 'reject'].map((name) =>
      fermata.runs.start(`keyed-${name}`, { input: { sku: 'A' }, id: 'holder' }),
    );
    const holders = await Promise.all(starts);
    const queued = await begin({ definitionId: 'keyed-queue', input: { sku: 'A' } });
    const joined = await begin({ definitionId: 'keyed-join', input: { sku: 'A' } });
    const refused = await begin({ definitionId: 'keyed-reject', input: { sku: 'A' } });
    expect(await failureOf(refused)).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'RUN_KEY_TAKEN' } });
    const queuedId = childOf(queued).replace('NAME', 'keyed-queue');
    await shown(queuedId, ({ waiting }) => expect(waiting).toMatchObject([{ kind: 'key' }]));
    await shown(joined.id, ({ children }) =>
      expect(children).toMatchObject([{ runId: `${tenant}/keyed-join/holder`, state: 'running' }]),
    );
    for (const { id } of holders) {
      await waitsAtNap(id);
      await wake(id);
    }
    expect(await joined.result()).toBe(`${tenant}/keyed-join/holder`);
    await waitsAtNap(queuedId);
    await wake(queuedId);
    expect(await queued.result()).toBe(queuedId);
    await expectReplay(queued.id, queuedId, joined.id, refused.id);
  });
});

describe('a hand-written workflow', () => {
  const byHandOf = (workflowType: string, more: object = {}) =>
    begin({ workflowType, taskQueue: byHand.queue, input: { sku: '${input.sku}' }, ...more });

  it('gets the input as its one argument, on its own task queue, and gives its result', async () => {
    const run = await byHandOf('shipByHand');
    expect(await run.result()).toEqual({ parcel: 'by hand A' });
    await shown(run.id, ({ children }) =>
      expect(children).toEqual([
        {
          nodeId: 'ship',
          runId: childOf(run).replace('NAME', 'shipByHand'),
          definitionId: null,
          workflowType: 'shipByHand',
          version: null,
          state: null,
        },
      ]),
    );
    const { events } = await historyOf(run.id);
    // As hand-written code: started, three tasks, initiated, started and completed, and its own end.
    expect(events).toHaveLength(14);
    await expectReplay(run.id);
  });

  it('may give nothing, or more than a node may hold', async () => {
    expect(await (await byHandOf('answerNothing')).result()).toBeNull();
    expect(await failureOf(await byHandOf('answerTooMuch'))).toMatchObject({
      type: 'PAYLOAD_TOO_LARGE',
      nodeId: 'ship',
    });
  });

  it('fails its node with what it threw', async () => {
    expect(await failureOf(await byHandOf('lose'))).toMatchObject({
      type: 'CHILD_FAILED',
      cause: { type: 'Lost', message: 'lost at sea', details: { sea: 'north' } },
    });
  });

  it('is cancelled and awaited when its time is over', async () => {
    const run = await byHandOf('dawdle', { timeout: '500ms' });
    expect(await failureOf(run)).toMatchObject({ type: 'TIMEOUT' });
    const handle = bench.fermata.temporal.workflow.getHandle(childOf(run).replace('NAME', 'dawdle'));
    expect((await handle.describe()).status.name).toBe('CANCELLED');
  });

  it('that is asked of workers which run definitions only fails, and hangs nobody', async () => {
    const run = await begin({ workflowType: 'shipByHand', input: { sku: 'A' } });
    expect(await failureOf(run)).toMatchObject({ type: 'CHILD_FAILED', cause: { type: 'INPUT_INVALID' } });
  });
});
