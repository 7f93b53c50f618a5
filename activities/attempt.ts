/**
 * Who an attempt is for: command, run and tenant, read from what Temporal tells an activity.
 */
import { ApplicationFailure, type Info } from '@temporalio/activity';
import { DEFAULT_TENANT } from '../definitions/wire.ts';
import type { CommandRun } from './command-context.ts';
import type { Wire } from './wire.ts';

const UNDO = '/undo';

export interface Attempt {
  /** `<run id>/<path>/<node id>/<visit>`, `/undo` behind it for an undo. */
  readonly commandId: string;
  /** Of an undo: the command id that it takes back. */
  readonly undoes: string | null;
  readonly run: CommandRun;
  /** Type and version of the handler. */
  readonly type: string;
  readonly version: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** Run beside the interpreter. */
  readonly local: boolean;
  /** When the command was ordered: milliseconds since 1970, the same for every attempt. */
  readonly orderedAt: number;
}

/** @throws ApplicationFailure, not retryable, when no workflow ordered the activity. */
export function attemptOf(info: Info, wire: Wire): Attempt {
  const runId = info.workflowExecution?.workflowId;
  if (runId === undefined) {
    throw ApplicationFailure.nonRetryable(
      'a command is ordered by a run; this activity has no workflow',
      'HANDLER_ERROR',
    );
  }
  const commandId = `${runId}/${wire.localId ?? info.activityId}`;
  const definitionId = info.workflowType ?? '';
  return {
    commandId,
    undoes: commandId.endsWith(UNDO) ? commandId.slice(0, -UNDO.length) : null,
    run: { id: runId, definitionId, version: wire.definitionVersion, tenant: tenantOf(runId, definitionId) },
    type: info.activityType,
    version: wire.handlerVersion,
    attempt: info.attempt,
    local: info.isLocal,
    orderedAt: info.scheduledTimestampMs,
  };
}

/** A run id is `<definition id>/<start id>`, with `<tenant>/` before it where the tenant is not `default`. */
function tenantOf(runId: string, definitionId: string): string {
  const [tenant, definition, start] = runId.split('/');
  return start !== undefined && tenant !== undefined && definition === definitionId ? tenant : DEFAULT_TENANT;
}
