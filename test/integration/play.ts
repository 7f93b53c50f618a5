/**
 * Plays a sample on Temporal: its mocks answer as handlers, its events are published when the run has begun, its decisions
 * and cancels come as signals when the run waits for them. Nothing here belongs to a test runner, so that `scripts/record-histories.ts` plays them too.
 */
import type { Client, WorkflowHandle, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { z } from 'zod';
import { CommandError, defineCommand, type Registrable } from '../../activities/index.ts';
import { allNodes } from '../../definitions/all-nodes.ts';
import type { Fermata } from '../../client/index.ts';
import { CANCEL, DECIDE, STATE, TASK } from '../../definitions/wire.ts';
import { MockReplies } from '../../testing/mock-replies.ts';
import { prepareMocks } from '../../testing/mocks.ts';
import { prepareStart } from '../../testing/start.ts';
import type { CommandOrder } from '../../workflows/orders.ts';
import type { RunView } from '../../workflows/run-view.ts';
import type { WireStart } from '../../workflows/temporal/wire.ts';
import type { Sample } from './samples.ts';

export interface Playground {
  readonly client: Client;
  readonly taskQueue: string;
  readonly fermata: Pick<Fermata, 'definitions' | 'events'>;
}

export type PlayedRun = Pick<WorkflowHandleWithFirstExecutionRunId, 'workflowId' | 'firstExecutionRunId'>;

/** The mocks of each run, for the handlers. */
const replies = new Map<string, MockReplies>();

/** A handler for every command of the samples, and of what undoes them. */
export function mockCommands(samples: Iterable<Sample>): readonly Registrable[] {
  const types = new Set<string>();
  for (const { definition, definitions = [] } of samples) {
    for (const node of [definition, ...definitions].flatMap(({ nodes }) => allNodes(nodes))) {
      if (node.type !== 'action') continue;
      types.add(node.config.command);
      if (typeof node.config.undo === 'object') types.add(node.config.undo.command);
    }
  }
  return [...types].map((type) =>
    defineCommand({
      type,
      input: z.unknown(),
      output: z.unknown(),
      execute: (payload, { run, idempotencyKey }) => answer(run.id, { type, payload, commandId: idempotencyKey }),
      rollback: (input, output, { run, idempotencyKey }) =>
        answer(run.id, { type, payload: { input, output }, commandId: idempotencyKey }),
    }),
  );
}

async function answer(
  runId: string,
  order: { readonly type: string; readonly payload: unknown; readonly commandId: string },
): Promise<unknown> {
  const reply = mocksOf(runId)?.next(order as CommandOrder);
  if (reply === undefined) throw new Error(`no mocks for the run ${runId}`);
  if (reply.takesMs > 0) await new Promise((resolve) => setTimeout(resolve, reply.takesMs));
  if ('output' in reply) return reply.output;
  const { type, message, retryable, details } = reply.error;
  throw new CommandError(type, message, { retryable, ...(details === undefined ? {} : { details }) });
}

/** Of the run, or of the one that began it: the id of a run that a run begins names both. */
function mocksOf(runId: string): MockReplies | undefined {
  const [, visit = ''] = runId.split('/');
  const parent = visit.split(':').slice(0, 2).join('/');
  return replies.get(runId) ?? replies.get(parent);
}

/** Starts the run and brings it to its end. */
export async function play(sample: Sample, id: string, { client, taskQueue, fermata }: Playground): Promise<PlayedRun> {
  const { definition, definitions = [], event, input, mocks } = sample;
  for (const other of definitions) await fermata.definitions.publish(other);
  const given = { id, ...(event === undefined ? {} : { event }), ...(input === undefined ? {} : { input }) };
  const { start } = prepareStart(definition, Date.now(), given);
  const { commands, decisions, tasks, events, cancels } = prepareMocks(mocks);
  replies.set(start.run.id, new MockReplies(commands));
  const { rolloverEvents } = sample;
  const argument: WireStart = { ...start, ...(rolloverEvents === undefined ? {} : { rolloverEvents }) };
  const options = { workflowId: start.run.id, taskQueue, args: [argument] as [WireStart] };
  const [first, ...rest] = decisions.map(({ after: _after, ...decision }) => decision);
  const early = sample.early ? first : undefined;
  const firstExecutionRunId = early
    ? (await client.workflow.signalWithStart(definition.id, { ...options, signal: DECIDE, signalArgs: [early] }))
        .signaledRunId
    : (await client.workflow.start(definition.id, options)).firstExecutionRunId;
  const handle = client.workflow.getHandle(start.run.id);
  for (const { after: _after, type, data = null, id: eventId = '', subject } of events) {
    const about = subject === undefined ? {} : { subject };
    await fermata.events.publish({ id: eventId, type, source: 'mock', ...about, data });
  }
  for (const { after: _after, ...request } of tasks) {
    await waitsAt(handle, request.nodeId, request.visit);
    await handle.signal(TASK, request);
  }
  for (const decision of early || !first ? rest : [first, ...rest]) {
    await waitsAt(handle, decision.nodeId, decision.visit);
    await handle.signal(DECIDE, decision);
  }
  for (const { reason, by } of cancels) {
    await waitsAt(handle, sample.cancelAt ?? '');
    await handle.signal(CANCEL, { reason, by });
  }
  await handle.result().catch(() => undefined);
  return { workflowId: start.run.id, firstExecutionRunId };
}

/** Asks until the run waits there. */
async function waitsAt(handle: WorkflowHandle, nodeId: string, visit?: number): Promise<void> {
  for (;;) {
    const { waiting } = await handle.query<RunView>(STATE);
    if (waiting.some((wait) => wait.nodeId === nodeId && (visit === undefined || wait.task?.visit === visit))) return;
  }
}
