/**
 * Errors across Temporal: the two functions by which they cross, and no others.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ErrorInfo } from '../../definitions/errors.ts';
import { LIMITS } from '../../definitions/limits.ts';
import { cutUtf8 } from '../../definitions/json/size.ts';
import type { Json } from '../../definitions/types.ts';
import type { Ending } from '../checkpoint.ts';
import { Undecodable } from '../undecodable.ts';

/** What a rejected effect means in the language. What is no failure of Temporal is a bug, and is thrown on. */
export function fromFailure(rejection: unknown): ErrorInfo {
  if (isCancellation(rejection)) return { type: 'CANCELLED', message: 'Cancelled', nodeId: null };
  if (rejection instanceof ActivityFailure) return fromCause(rejection);
  if (rejection instanceof ChildWorkflowFailure) return fromChild(rejection);
  if (rejection instanceof ApplicationFailure) return fromApplicationFailure(rejection);
  throw rejection;
}

function fromCause(failure: ActivityFailure): ErrorInfo {
  const { cause, retryState } = failure;
  const inner = cause instanceof TimeoutFailure ? fromTimeout(cause) : fromApplicationFailure(cause);
  // The next attempt would have come after the deadline, so Temporal gives the last attempt's failure at once.
  if (retryState === 'TIMEOUT' && inner.type !== 'DEADLINE') {
    return { type: 'DEADLINE', message: 'The command was not done before its deadline', nodeId: null, cause: inner };
  }
  return inner;
}

/** The child's own error: that of a run as it told it, with node and cause. */
function fromChild({ cause }: ChildWorkflowFailure): ErrorInfo {
  if (cause instanceof TerminatedFailure) return { type: 'TERMINATED', message: cause.message, nodeId: null };
  if (cause instanceof TimeoutFailure) {
    return { type: 'RUN_TIMEOUT', message: "Temporal's own limit on the run passed", nodeId: null };
  }
  if (!(cause instanceof ApplicationFailure)) {
    return { type: 'WORKFLOW_FAILED', message: cause?.message ?? 'The workflow failed', nodeId: null };
  }
  const told = cause.details?.[0] as Partial<ErrorInfo> | null | undefined;
  if (told?.type === cause.type && told?.nodeId !== undefined) return told as ErrorInfo;
  return { ...fromApplicationFailure(cause), type: cause.type ?? 'WORKFLOW_FAILED' };
}

function fromTimeout({ timeoutType, cause }: TimeoutFailure): ErrorInfo {
  const last = cause === undefined ? {} : { cause: fromApplicationFailure(cause) };
  switch (timeoutType) {
    case 'HEARTBEAT':
      return { type: 'TIMEOUT', message: 'The attempt sent no heartbeat in time', nodeId: null, ...last };
    case 'START_TO_CLOSE':
      return { type: 'TIMEOUT', message: 'The attempt took longer than its timeout', nodeId: null, ...last };
    default:
      return { type: 'DEADLINE', message: 'The command was not done before its deadline', nodeId: null, ...last };
  }
}

function fromApplicationFailure(failure: Error | undefined): ErrorInfo {
  if (!(failure instanceof ApplicationFailure)) {
    return { type: 'HANDLER_ERROR', message: failure?.message ?? 'The command failed', nodeId: null };
  }
  const type = failure.type === 'PayloadsTooLarge' ? 'PAYLOAD_TOO_LARGE' : (failure.type ?? 'HANDLER_ERROR');
  const details: unknown = failure.details?.[0] ?? null;
  return {
    type,
    message: failure.message,
    nodeId: null,
    ...(details === null || details instanceof Undecodable ? {} : { details: details as Json }),
  };
}

/** The failure by which a run that did not complete is closed in Temporal. */
export function toFailure({ state, error }: Ending, cancelRequested: boolean): ApplicationFailure | CancelledFailure {
  const info: ErrorInfo = error ?? { type: 'CANCELLED', message: 'The run was cancelled', nodeId: null };
  if (state === 'cancelled' && cancelRequested) return new CancelledFailure(info.message);
  return ApplicationFailure.create({
    type: info.type,
    message: cutUtf8(info.message, LIMITS.failureMessageBytes),
    nonRetryable: true,
    details: [info],
  });
}
