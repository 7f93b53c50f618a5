/**
 * Waiting for the end of a run: its output, or its error as one that is thrown.
 *
 * Temporal is asked, since its answer comes the moment the run ends; rows only where it has forgotten the run.
 */
import { WorkflowFailedError } from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowNotFoundError,
} from '@temporalio/common';
import type { ErrorInfo } from '../definitions/errors.ts';
import { FermataError } from '../definitions/fermata-error.ts';
import type { Json } from '../definitions/types.ts';
import type { ClientParts } from './client-parts.ts';
import { isDeadline, toTemporalError } from './temporal-error.ts';
import { notEnded, untilBegun } from './until-begun.ts';

export interface ResultOptions {
  /** Milliseconds; default: as long as it takes. */
  readonly timeoutMs?: number;
}

export async function resultOf(parts: ClientParts, runId: string, { timeoutMs }: ResultOptions): Promise<Json> {
  const waitedMs = await untilBegun(parts, runId, timeoutMs);
  return await outcomeOf(parts, runId, timeoutMs === undefined ? {} : { timeoutMs: timeoutMs - waitedMs });
}

/** The same of any workflow, also one that has no row. */
export async function outcomeOf(parts: ClientParts, runId: string, { timeoutMs }: ResultOptions): Promise<Json> {
  const { temporal, settings } = parts;
  const result = (): Promise<Json> => temporal.workflow.getHandle(runId).result() as Promise<Json>;
  try {
    if (timeoutMs === undefined) return await result();
    return await temporal.withDeadline(Date.now() + timeoutMs, result);
  } catch (error) {
    if (error instanceof WorkflowFailedError) throw endedWith(runId, errorInfoOf(error.cause), error);
    if (error instanceof WorkflowNotFoundError) return await resultFromRows(parts, runId);
    if (timeoutMs !== undefined && isDeadline(error)) throw notEnded(runId, timeoutMs, error);
    throw toTemporalError(error, settings.temporal.address);
  }
}

async function resultFromRows({ store }: ClientParts, runId: string): Promise<Json> {
  const document = await store.runs.document(runId);
  if (document?.state === 'completed') return document.output;
  if (document?.state === 'failed' || document?.state === 'cancelled') {
    const type = document.state === 'failed' ? 'UNKNOWN' : 'CANCELLED';
    throw endedWith(runId, document.error ?? { type, message: `the run is ${document.state}`, nodeId: null });
  }
  const message = `Temporal does not know the run "${runId}", whose rows say ${document?.state ?? 'nothing'}`;
  throw new FermataError('run.not_found', message, { runId });
}

function endedWith(runId: string, error: ErrorInfo, cause?: unknown): FermataError {
  const cancelled = error.type === 'CANCELLED';
  const at = error.nodeId === null ? '' : ` at ${error.nodeId}`;
  const message = `the run "${runId}" ${cancelled ? 'was cancelled' : `failed${at} with ${error.type}`}: ${error.message}`;
  const details = { runId, error: error as unknown as Json };
  return new FermataError(cancelled ? 'run.cancelled' : 'run.failed', message, details, { cause });
}

function errorInfoOf(failure: Error | undefined): ErrorInfo {
  if (failure instanceof CancelledFailure) return { type: 'CANCELLED', message: failure.message, nodeId: null };
  if (failure instanceof ApplicationFailure) {
    const info = failure.details?.[0] as ErrorInfo | undefined;
    return info ?? { type: failure.type ?? 'UNKNOWN', message: failure.message, nodeId: null };
  }
  if (failure instanceof TimeoutFailure) {
    return { type: 'RUN_TIMEOUT', message: "Temporal's own limit on the run passed", nodeId: null };
  }
  const type = failure instanceof TerminatedFailure ? 'TERMINATED' : 'UNKNOWN';
  return { type, message: failure?.message ?? 'the run failed', nodeId: null };
}
