/**
 * A run that a run begins, as a child workflow.
 *
 * Invariants:
 * 1. A child of a definition is an ordinary run: registered by one local activity, which chooses its version and checks
 *    its input, then started as the client starts one.
 * 2. What is registered begins: a cancel on the way there is passed on once the child is there.
 * 3. Starting again what is there already, open or completed, waits for that one (`ALLOW_DUPLICATE_FAILED_ONLY`). A crash
 *    never starts twice, since the start is in the history; a reset, or a retry from a checkpoint, would. What failed is
 *    begun afresh, or no retry could ever succeed.
 */
import {
  ActivityFailure,
  CancellationScope,
  CancelledFailure,
  type ChildWorkflowHandle,
  ChildWorkflowFailure,
  type ChildWorkflowOptions,
  isCancellation,
  proxyActivities,
  startChild as startChildWorkflow,
  type Workflow,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { LIMITS } from '../../definitions/limits.ts';
import { attributesOf } from '../../definitions/search-attributes.ts';
import type { Json } from '../../definitions/types.ts';
import { AWAIT_CHILD, BEGIN_CHILD } from '../../definitions/wire.ts';
import type { BegunChild } from '../effects.ts';
import type { ChildOrder } from '../orders.ts';
import type { LocalTurns } from './local-turns.ts';
import type { ChildRequest, ChildToAwait, RegisteredChild, WireStart } from './wire.ts';

/** Longest silence of the activity that waits for a run, before another worker takes over. */
const HEARTBEAT_MS = 10_000;

export async function startChild(order: ChildOrder, locals: LocalTurns): Promise<BegunChild> {
  const asking = CancellationScope.current();
  if (asking.consideredCancelled) throw new CancelledFailure('Cancelled before the run began');
  return CancellationScope.nonCancellable(async () => {
    const registered = await register(order, locals);
    const life = new CancellationScope();
    const child = await life.run(() => begin(order, registered));
    if (!order.detached) asking.cancelRequested.catch(() => life.cancel());
    return { ...child, result: () => life.run(child.result) };
  });
}

async function begin(order: ChildOrder, registered: RegisteredChild | null): Promise<BegunChild> {
  const { id: runId, tenant } = order.run;
  if (registered?.kind === 'elsewhere') {
    const { version } = registered;
    return { runId: registered.runId, version, result: () => awaitChild(registered, order.summary) };
  }
  const version = registered?.definition.version ?? null;
  try {
    const handle = await start(order, registered);
    return { runId, version, result: async () => ((await handle.result()) ?? null) as Json };
  } catch (failure) {
    if (!(failure instanceof WorkflowExecutionAlreadyStartedError)) throw failure;
    const there = { runId, tenant, own: true, stored: registered !== null };
    return { runId, version, result: () => awaitChild(there, order.summary) };
  }
}

async function register(
  { what, run, input, taskQueue, summary }: ChildOrder,
  locals: LocalTurns,
): Promise<RegisteredChild | null> {
  if ('workflowType' in what) return null;
  const { [BEGIN_CHILD]: begin } = locals.proxy<{
    [BEGIN_CHILD](request: ChildRequest): Promise<RegisteredChild>;
  }>({ startToCloseTimeout: LIMITS.localMs, summary });
  return begin({ ...what, run, input, taskQueue });
}

function start(
  order: ChildOrder,
  registered: (RegisteredChild & { kind: 'start' }) | null,
): Promise<ChildWorkflowHandle<Workflow>> {
  const { what, run, input, taskQueue, summary, detached } = order;
  const options: ChildWorkflowOptions = {
    workflowId: run.id,
    ...(taskQueue === null ? {} : { taskQueue }),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowExecutionTimeout: LIMITS.runTimeoutMs,
    parentClosePolicy: detached ? 'ABANDON' : 'REQUEST_CANCEL',
    cancellationType: detached ? 'ABANDON' : 'WAIT_CANCELLATION_COMPLETED',
    staticSummary: summary,
  };
  if (registered === null) {
    return startChildWorkflow('workflowType' in what ? what.workflowType : '', { ...options, args: [input] });
  }
  const { definition, entity } = registered;
  const wire: WireStart = { definition, input: registered.input ?? input, event: null, run: { ...run, entity } };
  const { tenant } = run;
  const attributes = attributesOf({ tenant, version: definition.version, entity, eventId: null });
  return startChildWorkflow(definition.id, { ...options, args: [wire], typedSearchAttributes: attributes });
}

/** Fails as the child itself would have. */
async function awaitChild({ runId, tenant, own, stored }: ChildToAwait, summary: string): Promise<Json> {
  const { [AWAIT_CHILD]: wait } = proxyActivities<{ [AWAIT_CHILD](child: ChildToAwait): Promise<Json> }>({
    startToCloseTimeout: LIMITS.runTimeoutMs,
    heartbeatTimeout: HEARTBEAT_MS,
    // Only a worker that goes away makes an attempt fail: no reason to wait longer each time.
    retry: { backoffCoefficient: 1 },
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary,
  });
  const child = { runId, tenant, own, stored };
  try {
    return await wait(child).catch((failure: unknown) => {
      if (!own || !isCancellation(failure)) throw failure;
      // No attempt was there to pass it on.
      return CancellationScope.nonCancellable(() => wait({ ...child, cancel: true }));
    });
  } catch (failure) {
    if (!(failure instanceof ActivityFailure)) throw failure;
    throw new ChildWorkflowFailure(undefined, { workflowId: runId }, '', 'NON_RETRYABLE_FAILURE', failure.cause);
  }
}
