import { WorkflowFailedError, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Definition } from '../../../definitions/types.ts';
import type { RunView } from '../../../workflows/run-view.ts';
import { replayHistories } from '../../../testing/index.ts';
import { temporalNamespace, uniqueName } from '../../setup/temporal.ts';
import { startWalker, type Walker } from '../../setup/walker.ts';

type Payload = temporal.api.common.v1.IPayload;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const encoded = (encoding: string, text: string): Payload => ({
  metadata: { encoding: bytes(encoding) },
  data: bytes(text),
});
/** What anybody with access to the namespace can send. */
const UNDECODABLE: readonly Payload[] = [
  encoded('binary/mystery', 'x'),
  encoded('json/plain', '{ "nodeId": "ok", '),
  encoded('binary/plain', 'raw'),
  { data: bytes('{}') },
  { metadata: { encoding: bytes('json/plain') } },
];

let walker: Walker;
beforeAll(async () => {
  walker = await startWalker([]);
});
afterAll(() => walker.stop());

const approve: Definition = {
  id: 'undecodable',
  nodes: [
    { id: 'ok', type: 'approval', config: {}, nextNodeId: 'done' },
    { id: 'done', type: 'end', config: { output: '${nodes.ok.output.decisions[0].by.id}' } },
  ],
};

async function waitingAt(handle: WorkflowHandle, nodeId: string): Promise<void> {
  await vi.waitFor(async () => expect((await handle.query<RunView>('state')).waiting).toMatchObject([{ nodeId }]), {
    timeout: 20_000,
  });
}

async function rawSignal(workflowId: string, signalName: string, payload: Payload): Promise<void> {
  await walker.client.workflowService.signalWorkflowExecution({
    namespace: temporalNamespace(),
    workflowExecution: { workflowId },
    signalName,
    input: { payloads: [payload] },
  });
}

/** No workflow task has failed, and the history replays. */
async function expectSound(handle: WorkflowHandle): Promise<void> {
  const history = await handle.fetchHistory();
  expect(history.events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  const recorded = { workflowId: handle.workflowId, history: JSON.parse(historyToJSON(history)) as unknown };
  const [replayed] = await replayHistories([recorded]);
  expect(replayed).toMatchObject({ error: null, differences: [] });
}

async function failureOf(handle: WorkflowHandle): Promise<ApplicationFailure> {
  const error = await handle.result().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WorkflowFailedError);
  return (error as WorkflowFailedError).cause as ApplicationFailure;
}

/** Takes the attempt of a command, as a worker does; gives the token by which it is answered. */
async function takeTask(taskQueue: string): Promise<Uint8Array> {
  const { connection, workflowService } = walker.client;
  const poll = { namespace: temporalNamespace(), taskQueue: { name: taskQueue } };
  const task = await connection.withDeadline(Date.now() + 30_000, () => workflowService.pollActivityTaskQueue(poll));
  return task.taskToken;
}

test('decisions by signal that cannot be decoded are in the audit as malformed, and the run goes on', async () => {
  const handle = await walker.start(approve);
  await waitingAt(handle, 'ok');
  for (const payload of UNDECODABLE) await rawSignal(handle.workflowId, 'decide', payload);
  await handle.signal('decide', { nodeId: 'ok', outcome: 'approved', by: { id: 'ann' } });
  expect(await handle.result()).toBe('ann');
  const refused = (walker.records.get(handle.workflowId) ?? []).flatMap((line) =>
    line.kind === 'decision' && line.refusal ? [line.refusal] : [],
  );
  expect(refused.map(({ code }) => code)).toEqual(UNDECODABLE.map(() => 'malformed'));
  expect(refused[0]?.message).toBe('A decision cannot be decoded: Unknown encoding: binary/mystery');
  await expectSound(handle);
});

test('a decision by update that cannot be decoded is refused as malformed', async () => {
  const handle = await walker.start(approve);
  await waitingAt(handle, 'ok');
  const { outcome } = await walker.client.workflowService.updateWorkflowExecution({
    namespace: temporalNamespace(),
    workflowExecution: { workflowId: handle.workflowId },
    waitPolicy: { lifecycleStage: 3 },
    request: {
      meta: { updateId: uniqueName('update') },
      input: { name: 'decide', args: { payloads: [encoded('binary/mystery', 'x')] } },
    },
  });
  expect(outcome?.failure?.applicationFailureInfo?.type).toBe('malformed');
  await handle.signal('decide', { nodeId: 'ok', outcome: 'approved', by: { id: 'ann' } });
  expect(await handle.result()).toBe('ann');
  await expectSound(handle);
});

test('a cancel that cannot be decoded is a cancel, and says that its reason could not be read', async () => {
  const handle = await walker.start(approve);
  await waitingAt(handle, 'ok');
  await rawSignal(handle.workflowId, 'cancel', encoded('binary/mystery', 'x'));
  expect(await failureOf(handle)).toMatchObject({
    type: 'CANCELLED',
    message: 'Cancelled: for a reason that cannot be decoded',
  });
  await expectSound(handle);
});

test('signals and updates of unknown names hurt nobody', async () => {
  const handle = await walker.start(approve);
  await waitingAt(handle, 'ok');
  for (const name of ['hello', '__temporal_hello', '__stack_trace', 'constructor']) {
    await rawSignal(handle.workflowId, name, encoded('binary/mystery', 'x'));
    await expect(handle.executeUpdate(name)).rejects.toBeInstanceOf(WorkflowUpdateFailedError);
  }
  await handle.signal('decide', { nodeId: 'ok', outcome: 'approved', by: { id: 'ann' } });
  expect(await handle.result()).toBe('ann');
  await expectSound(handle);
});

test('an answer to a command that cannot be decoded ends its node with OUTPUT_INVALID', async () => {
  const taskQueue = uniqueName('by-hand');
  const { workflowService } = walker.client;
  const run = async (definition: Definition, answer: Payload): Promise<WorkflowHandle> => {
    const handle = await walker.start(definition);
    const taskToken = await takeTask(taskQueue);
    await workflowService.respondActivityTaskCompleted({
      namespace: temporalNamespace(),
      taskToken,
      result: { payloads: [answer] },
    });
    return handle;
  };
  const work = { id: 'work', type: 'action', config: { command: 'work', taskQueue } } as const;
  const failing = await run({ id: 'unanswered', nodes: [work] }, encoded('binary/mystery', 'x'));
  expect(await failureOf(failing)).toMatchObject({
    type: 'OUTPUT_INVALID',
    message: 'The answer cannot be decoded: Unknown encoding: binary/mystery',
  });
  await expectSound(failing);
  const caught: Definition = {
    id: 'unanswered',
    nodes: [
      { ...work, catch: [{ errors: ['OUTPUT_INVALID'], nextNodeId: 'done' }] },
      { id: 'done', type: 'end', config: { output: '${error.type}' } },
    ],
  };
  const going = await run(caught, encoded('json/plain', '{'));
  expect(await going.result()).toBe('OUTPUT_INVALID');
  await expectSound(going);
});

test('a failure whose details cannot be decoded is told without them', async () => {
  const taskQueue = uniqueName('by-hand');
  const { workflowService } = walker.client;
  const handle = await walker.start({
    id: 'undetailed',
    nodes: [{ id: 'work', type: 'action', config: { command: 'work', taskQueue } }],
  });
  const taskToken = await takeTask(taskQueue);
  await workflowService.respondActivityTaskFailed({
    namespace: temporalNamespace(),
    taskToken,
    failure: {
      message: 'no luck',
      applicationFailureInfo: {
        type: 'NO_LUCK',
        nonRetryable: true,
        details: { payloads: [encoded('binary/mystery', 'x')] },
      },
    },
  });
  expect(await failureOf(handle)).toMatchObject({
    details: [{ type: 'NO_LUCK', message: 'no luck', nodeId: 'work' }],
  });
  await expectSound(handle);
});

test('a run whose start cannot be decoded, or is no start of ours, fails with INPUT_INVALID', async () => {
  const starts: readonly (readonly Payload[])[] = [
    [],
    [encoded('binary/mystery', 'x')],
    [encoded('json/plain', '{')],
    ...['null', '"x"', '[]', '{}', '{"definition":{"id":"x","hash":"h"},"run":{"id":"x"}}'].map((text) => [
      encoded('json/plain', text),
    ]),
  ];
  for (const payloads of starts) {
    const workflowId = uniqueName('foreign');
    await walker.client.workflowService.startWorkflowExecution({
      namespace: temporalNamespace(),
      requestId: workflowId,
      workflowId,
      workflowType: { name: 'foreign' },
      taskQueue: { name: walker.taskQueue },
      input: { payloads: [...payloads] },
    });
    const handle = walker.client.workflow.getHandle(workflowId);
    expect(await failureOf(handle)).toMatchObject({ type: 'INPUT_INVALID' });
    const history = await handle.fetchHistory();
    expect(history.events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  }
});
