/**
 * The end of a run that Temporal closed without asking it: terminated, or past Temporal's own limit. Its records cannot
 * tell of it.
 */
import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { RunRecord, StateRecord } from '../definitions/records.ts';

/** The record that closes the run, or `null` where it is open or tells its end itself. */
export function abruptEnd(
  { status, closeTime }: Pick<WorkflowExecutionDescription, 'status' | 'closeTime'>,
  records: readonly RunRecord[],
): StateRecord | null {
  const error = errorOf(status.name);
  if (error === null || closeTime === undefined || hasEnded(records)) return null;
  const counts = { visits: countOf(records, 'visit'), commands: countOf(records, 'command') };
  return { kind: 'state', state: 'failed', at: closeTime.getTime(), output: null, error, counts };
}

export function hasEnded(records: readonly RunRecord[]): boolean {
  return records.some((line) => line.kind === 'state' && line.counts !== undefined);
}

function errorOf(status: WorkflowExecutionDescription['status']['name']): ErrorInfo | null {
  if (status === 'TERMINATED') {
    return { type: 'TERMINATED', message: 'The run was terminated in Temporal; nothing was undone', nodeId: null };
  }
  if (status === 'TIMED_OUT') {
    return { type: 'RUN_TIMEOUT', message: "Temporal's own limit on the run passed; nothing was undone", nodeId: null };
  }
  return null;
}

function countOf(records: readonly RunRecord[], kind: 'visit' | 'command'): number {
  return new Set(records.flatMap((line) => (line.kind === kind ? [line.seq] : []))).size;
}
