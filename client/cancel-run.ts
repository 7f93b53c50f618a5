/**
 * Cancelling a run: its own signal first, which carries who and why, then Temporal's cancel request, which the Web UI
 * shows and which makes the run end as cancelled there. A run that waits for its key leaves the line, and never begins.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import { FermataError } from '../definitions/fermata-error.ts';
import { CANCEL } from '../definitions/wire.ts';
import type { CancelSignal } from '../workflows/temporal/wire.ts';
import type { ClientParts } from './client-parts.ts';
import { toTemporalError } from './temporal-error.ts';

export interface CancelOptions {
  readonly reason?: string;
  /** Who cancels. */
  readonly by?: string;
}

const CALL_TIMEOUT_MS = 10_000;
/** Characters of `reason` and `by` that a run keeps. */
const KEPT = 1_000;

export async function cancelRun(parts: ClientParts, runId: string, options: CancelOptions): Promise<void> {
  const { state } = await parts.store.runs.get(runId);
  if (state === 'pending' && (await parts.store.runs.withdraw(runId, reasonOf(options)))) return;
  try {
    await requestCancel(parts, runId, options);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    const now = state === 'pending' ? 'has not begun in Temporal' : 'has ended';
    const message = `the run "${runId}" ${now}, so it cannot be cancelled`;
    throw new FermataError('run.invalid_transition', message, { runId, state }, { cause: error });
  }
}

/** @throws WorkflowNotFoundError where the run has not begun or has ended; FermataError `temporal.unavailable` */
export async function requestCancel(parts: ClientParts, runId: string, options: CancelOptions): Promise<void> {
  const { temporal, settings } = parts;
  const signal: CancelSignal = {
    ...(options.reason === undefined ? {} : { reason: options.reason.slice(0, KEPT) }),
    ...(options.by === undefined ? {} : { by: options.by.slice(0, KEPT) }),
  };
  const handle = temporal.workflow.getHandle(runId);
  try {
    await temporal.withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
      await handle.signal(CANCEL, signal);
      await handle.cancel().catch(unlessEnded);
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw error;
    throw toTemporalError(error, settings.temporal.address);
  }
}

/** As a run that has begun words it. */
function reasonOf({ reason = 'no reason given', by }: CancelOptions): string {
  return (by === undefined ? reason : `${reason} (by ${by})`).slice(0, KEPT);
}

/** The signal may have ended the run already. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
