/**
 * Whether Temporal has closed a run. Across continue-as-new it is the whole run that counts.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import type { ClientParts } from './client-parts.ts';
import { toTemporalError } from './temporal-error.ts';

/** `unknown`: it has not begun, or was forgotten. */
export type WorkflowStatus = 'open' | 'closed' | 'unknown';

const CALL_TIMEOUT_MS = 5_000;
const CLOSED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT']);

/** @throws FermataError `temporal.unavailable`, `temporal.rejected` */
export async function statusOf({ temporal, settings }: ClientParts, runId: string): Promise<WorkflowStatus> {
  try {
    const describe = () => temporal.workflow.getHandle(runId).describe();
    const { status } = await temporal.withDeadline(Date.now() + CALL_TIMEOUT_MS, describe);
    return CLOSED.has(status.name) ? 'closed' : 'open';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw toTemporalError(error, settings.temporal.address);
  }
}
