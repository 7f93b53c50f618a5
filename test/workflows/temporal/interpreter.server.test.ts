import { WorkflowFailedError, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { type ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { CommandError } from '../../../activities/command-error.ts';
import { defineCommand } from '../../../activities/define-command.ts';
import type { Definition, Node } from '../../../definitions/types.ts';
import type { RunView } from '../../../workflows/run-view.ts';
import { startWalker, type Walker } from '../../setup/walker.ts';

let walker: Walker;
const keys: string[] = [];

const echo = defineCommand({
  type: 'echo',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  async execute({ text }, ctx) {
    keys.push(ctx.idempotencyKey);
    return { text: `${text}!` };
  },
});

const undone: string[] = [];
const reserve = defineCommand({
  type: 'reserve',
  input: z.object({ what: z.string() }),
  output: z.object({ id: z.string() }),
  async execute({ what }) {
    return { id: `r-${what}` };
  },
  async rollback({ what }, { id }, ctx) {
    undone.push(`${what} ${id} ${ctx.idempotencyKey}`);
  },
});
const fatal = defineCommand({
  type: 'fatal',
  input: z.object({}),
  output: z.null(),
  async execute() {
    throw new CommandError('NO_STOCK', 'nothing left', { retryable: false, details: { sku: 7 } });
  },
});

beforeAll(async () => {
  walker = await startWalker([echo, reserve, fatal]);
});

async function failureOf(handle: WorkflowHandle): Promise<ApplicationFailure | CancelledFailure> {
  const error = await handle.result().catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkflowFailedError)) throw new Error(`expected a failed run, got ${String(error)}`);
  return error.cause as ApplicationFailure;
}

async function waitingFor(handle: WorkflowHandle, nodeId: string): Promise<RunView> {
  return vi.waitFor(
    async () => {
      const view = await handle.query<RunView>('state');
      expect(view.waiting.map((wait) => wait.nodeId)).toContain(nodeId);
      return view;
    },
    { timeout: 20_000 },
  );
}
afterAll(() => walker.stop());

const chain = (count: number, local = false): Definition => ({
  id: 'chain',
  nodes: Array.from({ length: count }, (_, index) => ({
    id: `step${index + 1}`,
    type: 'action' as const,
    config: { command: 'echo', payload: { text: index === 0 ? 'a' : `\${nodes.step${index}.output.text}` }, local },
    ...(index + 1 < count ? { nextNodeId: `step${index + 2}` } : {}),
  })),
});

test('ten regular commands in sequence make the 65 history events of hand-written code', async () => {
  const handle = await walker.start(chain(10));
  expect(await handle.result()).toEqual({ text: 'a!!!!!!!!!!' });
  const { events } = await handle.fetchHistory();
  expect(events).toHaveLength(65);
  expect(keys.filter((key) => key.startsWith(handle.workflowId))).toEqual(
    Array.from({ length: 10 }, (_, index) => `${handle.workflowId}/step${index + 1}/1`),
  );
});

test('local commands run beside the walker, each under its own command id', async () => {
  const handle = await walker.start(chain(3, true));
  expect(await handle.result()).toEqual({ text: 'a!!!' });
  expect(keys.filter((key) => key.startsWith(handle.workflowId))).toEqual(
    [1, 2, 3].map((step) => `${handle.workflowId}/step${step}/1`),
  );
  const { events } = await handle.fetchHistory();
  expect(events?.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(0);
});

test('a delay is a durable timer with the name of its node, and nothing else in the history', async () => {
  const handle = await walker.start({
    id: 'nap',
    nodes: [{ id: 'nap', name: 'A short nap', type: 'delay', config: { duration: '50ms' } }],
  });
  await handle.result();
  const { events } = await handle.fetchHistory();
  const timers = events?.filter((event) => event.timerStartedEventAttributes);
  expect(timers).toHaveLength(1);
  expect(JSON.stringify(timers?.[0]?.userMetadata?.summary?.data?.toString())).toContain('A short nap');
});

const approve: Definition = {
  id: 'approve',
  nodes: [
    {
      id: 'ok',
      type: 'approval',
      config: { title: 'Pay ${input.amount}?', assignees: { users: ['ann', 'bob'] }, timeout: '1h' },
      nextNodeId: 'yes',
      fallbackNodeId: 'no',
    },
    {
      id: 'yes',
      type: 'end',
      config: { output: { by: '${nodes.ok.output.decisions[0].by.id}', data: '${nodes.ok.output.data}' } },
    },
    { id: 'no', type: 'end', config: { output: '${error.type}' } },
  ],
};

test('an approval is decided by update: answered, refused with a code, and its timer cancelled', async () => {
  const handle = await walker.start(approve, { input: { amount: 5 } });
  const view = await waitingFor(handle, 'ok');
  expect(view.waiting[0]).toMatchObject({
    kind: 'approval',
    for: 'a decision on "Pay 5?" by ann, bob',
    task: { title: 'Pay 5?' },
  });

  const refused = await handle
    .executeUpdate('decide', { args: [{ nodeId: 'ok', outcome: 'approved', by: { id: 'eve' } }] })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WorkflowUpdateFailedError);
  expect((refused as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'not_assignee' });

  const answer = await handle.executeUpdate('decide', {
    args: [{ nodeId: 'ok', outcome: 'approved', by: { id: 'ann' }, data: { limit: 3 } }],
  });
  expect(answer).toEqual({ counted: true, taskId: `${handle.workflowId}/ok/1`, settled: 'approved' });
  expect(await handle.result()).toEqual({ by: 'ann', data: { limit: 3 } });
  const { events } = await handle.fetchHistory();
  expect(events?.filter((event) => event.timerCanceledEventAttributes)).toHaveLength(1);
});

test('an approval is decided by signal, and a signal that comes before its node is kept for it', async () => {
  const nodes: Node[] = [
    { id: 'nap', type: 'delay', config: { duration: '500ms' }, nextNodeId: 'ok' },
    ...approve.nodes,
  ];
  const handle = await walker.start({ ...approve, id: 'early', nodes }, { input: { amount: 1 } });
  await waitingFor(handle, 'nap');
  const early = await handle
    .executeUpdate('decide', { args: [{ nodeId: 'ok', outcome: 'approved', by: { id: 'bob' } }] })
    .catch((error: unknown) => error);
  expect((early as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'not_open' });
  await handle.signal('decide', { nodeId: 'ok', outcome: 'approved', by: 'bob' });
  await handle.signal('decide', { nodeId: 'ok', outcome: 'rejected', by: { id: 'bob' } });
  expect(await handle.result()).toBe('NOT_APPROVED');
  const told = walker.records.get(handle.workflowId)?.filter((line) => line.kind === 'decision') ?? [];
  expect(told.map(({ by, refusal }) => [by.id, refusal?.code ?? 'counted'])).toEqual([
    ['unreadable', 'malformed'],
    ['bob', 'counted'],
  ]);
});

test("a failed run is undone in reverse and fails with the handler's type, node and details", async () => {
  const handle = await walker.start({
    id: 'saga',
    nodes: [
      {
        id: 'a',
        type: 'action',
        config: { command: 'reserve', payload: { what: 'car' }, undo: true },
        nextNodeId: 'b',
      },
      {
        id: 'b',
        type: 'action',
        config: { command: 'reserve', payload: { what: 'hotel' }, undo: true },
        nextNodeId: 'c',
      },
      { id: 'c', type: 'action', config: { command: 'fatal' } },
    ],
  });
  const failure = (await failureOf(handle)) as ApplicationFailure;
  expect(failure).toMatchObject({ type: 'NO_STOCK', message: 'nothing left', nonRetryable: true });
  expect(failure.details?.[0]).toMatchObject({ nodeId: 'c', details: { sku: 7 } });
  const id = handle.workflowId;
  expect(undone.filter((line) => line.includes(id))).toEqual([
    `hotel r-hotel ${id}/b/1/undo`,
    `car r-car ${id}/a/1/undo`,
  ]);
});

test('a cancelled run undoes what it did, outside the cancellation, and is cancelled in Temporal', async () => {
  const handle = await walker.start({
    id: 'cancelled',
    nodes: [
      {
        id: 'a',
        type: 'action',
        config: { command: 'reserve', payload: { what: 'car' }, undo: true },
        nextNodeId: 'nap',
      },
      { id: 'nap', type: 'delay', config: { duration: '1h' } },
    ],
  });
  await waitingFor(handle, 'nap');
  await handle.cancel();
  expect(await failureOf(handle)).toBeInstanceOf(CancelledFailure);
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  expect(undone.filter((line) => line.includes(handle.workflowId))).toHaveLength(1);
});

test('a run timeout undoes and fails the run with RUN_TIMEOUT', async () => {
  const handle = await walker.start({
    id: 'late',
    timeout: '300ms',
    nodes: [
      {
        id: 'a',
        type: 'action',
        config: { command: 'reserve', payload: { what: 'car' }, undo: true },
        nextNodeId: 'nap',
      },
      { id: 'nap', type: 'delay', config: { duration: '1h' } },
    ],
  });
  expect(await failureOf(handle)).toMatchObject({ type: 'RUN_TIMEOUT' });
  expect(undone.filter((line) => line.includes(handle.workflowId))).toHaveLength(1);
});

test('a fault of the definition fails the run in its first workflow task', async () => {
  const handle = await walker.start({
    id: 'fault',
    nodes: [{ id: 'c', type: 'condition', config: { expression: 'input.a.b > 3' } }],
  });
  expect(await failureOf(handle)).toMatchObject({ type: 'EXPRESSION_ERROR' });
  const { events } = await handle.fetchHistory();
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toHaveLength(0);
});

test('a long walk goes on in fresh histories and keeps its place, variables and undo list', async () => {
  const handle = await walker.start(
    {
      id: 'rollover',
      nodes: [
        {
          id: 'first',
          type: 'action',
          config: { command: 'reserve', payload: { what: 'seat' }, undo: true },
          nextNodeId: 'n0',
        },
        { id: 'n0', type: 'assign', config: { vars: { n: 0 } }, nextNodeId: 'step' },
        {
          id: 'step',
          type: 'action',
          config: { command: 'echo', payload: { text: '${string(vars.n)}' } },
          nextNodeId: 'inc',
        },
        { id: 'inc', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'more' },
        {
          id: 'more',
          type: 'condition',
          config: { expression: 'vars.n < 20' },
          nextNodeId: 'step',
          fallbackNodeId: 'boom',
        },
        { id: 'boom', type: 'action', config: { command: 'fatal' } },
      ],
    },
    { rolloverEvents: 30 },
  );
  expect(await failureOf(handle)).toMatchObject({ type: 'NO_STOCK' });
  expect(keys.filter((key) => key.startsWith(handle.workflowId))).toEqual(
    Array.from({ length: 20 }, (_, index) => `${handle.workflowId}/step/${index + 1}`),
  );
  expect(undone.filter((line) => line.includes(handle.workflowId))).toHaveLength(1);
});

test('a run that cannot begin fails at once, and its records tell that it has ended', async () => {
  const unreadable = await walker.start({
    id: 'early',
    nodes: [{ id: 'a', type: 'condition', config: { expression: '(' } }],
  });
  const unknown = await walker.start(approve, { definition: { id: 'approve', version: 1, hash: 'nowhere' } });
  for (const [handle, type] of [
    [unreadable, 'EXPRESSION_ERROR'],
    [unknown, 'HANDLER_NOT_FOUND'],
  ] as const) {
    expect(await failureOf(handle)).toMatchObject({ type });
    expect(walker.records.get(handle.workflowId)).toMatchObject([
      { kind: 'state', state: 'failed', error: { type }, counts: { visits: 0, commands: 0 } },
    ]);
  }
});
