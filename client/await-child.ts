/**
 * Waiting for the end of a run that Temporal does not know as a child of the one that waits.
 *
 * Invariants:
 * 1. It never gives up by itself: how long a run may take is its parent's to say.
 * 2. A cancel cancels the run and waits for its end; one that is not the parent's own is left alone. An attempt that ends
 *    for another reason, such as a worker that shuts down, is no cancel: the next one goes on waiting.
 * 3. Where Temporal or the store cannot be asked, it asks again: once a cancel is under way, an attempt that fails is the
 *    last one.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ErrorInfo } from '../definitions/errors.ts';
import { type FermataError, isFermataError } from '../definitions/fermata-error.ts';
import { cutUtf8 } from '../definitions/json/size.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Json } from '../definitions/types.ts';
import type { ChildToAwait } from '../workflows/temporal/wire.ts';
import { cancelRun } from './cancel-run.ts';
import type { ClientParts } from './client-parts.ts';
import { outcomeOf } from './run-result.ts';

export interface AwaitOptions {
  /** Called before each look. */
  readonly onLook: () => void;
  readonly signal: AbortSignal;
  /** The worker shuts down: the next attempt goes on elsewhere. */
  readonly isLeaving: () => boolean;
}

/** One long poll, and the pause where the run has not begun yet. */
const LOOK_MS = 3_000;
const PAUSE_MS = 500;

/** @throws ApplicationFailure with the error of a run that did not complete; CancelledFailure */
export async function awaitChild(parts: ClientParts, child: ChildToAwait, options: AwaitOptions): Promise<Json> {
  const of = { ...parts, store: parts.store.forTenant(child.tenant) };
  let asked = false;
  for (;;) {
    options.onLook();
    const cancelled = child.cancel === true || isCancelled(options.signal);
    if (options.signal.aborted ? !cancelled : options.isLeaving()) throw leaving();
    if (cancelled && !child.own) throw new CancelledFailure('the wait was cancelled; the run goes on');
    if (cancelled && !asked) asked = await cancel(of, child);
    const end = await look(of, child);
    if (end !== null) return end.output;
  }
}

function leaving(): ApplicationFailure {
  return ApplicationFailure.retryable('the attempt ends with its worker; another one goes on waiting');
}

/** The other reasons of the SDK are about the attempt, not about the wait. */
function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.message === 'CANCELLED';
}

/** `null`: it has not ended, or nobody can tell. */
async function look(parts: ClientParts, child: ChildToAwait): Promise<{ readonly output: Json } | null> {
  try {
    return { output: (await outcomeOf(parts, child.runId, { timeoutMs: LOOK_MS })) ?? null };
  } catch (error) {
    if (!isFermataError(error)) throw error;
    if (error.code === 'run.wait_timeout') return null;
    if (!error.retryable && !(error.code === 'run.not_found' && (await isPending(parts, child))))
      throw asFailure(error);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return null;
  }
}

async function isPending({ store }: ClientParts, { runId, stored }: ChildToAwait): Promise<boolean> {
  return stored && (await store.runs.get(runId)).state === 'pending';
}

/** Whether nothing is left to ask. */
async function cancel(parts: ClientParts, { runId, stored }: ChildToAwait): Promise<boolean> {
  try {
    if (stored) await cancelRun(parts, runId, { reason: 'the run that began it was cancelled' });
    else await parts.temporal.workflow.getHandle(runId).cancel();
    return true;
  } catch {
    // It has ended, or is just about to begin: the next look tells.
    return false;
  }
}

function asFailure(error: FermataError): ApplicationFailure {
  const { error: told } = (error.details ?? {}) as { readonly error?: ErrorInfo };
  const info = told ?? { type: 'RUN_NOT_FOUND', message: error.message, nodeId: null };
  const message = cutUtf8(info.message, LIMITS.failureMessageBytes);
  return ApplicationFailure.nonRetryable(message, info.type, info);
}
