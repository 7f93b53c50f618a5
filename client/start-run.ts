/**
 * Starting a run in Temporal, so that doing it again changes nothing.
 *
 * Invariants:
 * 1. A workflow id starts one run, open or closed: `REJECT_DUPLICATE` with `USE_EXISTING`. Beyond Temporal's retention
 *    the row in the store says the same, so whoever calls this has seen a row that is `pending`.
 * 2. A run that needs a key has it when this is called.
 * 3. Everything that the run needs is in its input, unless the definition is too large for that.
 */
import {
  type Client,
  type InternalConnectionLike,
  InternalConnectionLikeSymbol,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { LIMITS } from '../definitions/limits.ts';
import { attributesOf } from '../definitions/search-attributes.ts';
import { jsonBytes } from '../definitions/json/size.ts';
import type { CloudEvent, Initiator, Json } from '../definitions/types.ts';
import type { StoredVersion } from '../store/index.ts';
import type { DefinitionReference, DefinitionVersion } from '../workflows/start.ts';
import type { WireStart } from '../workflows/temporal/wire.ts';
import type { ClientParts } from './client-parts.ts';
import { toTemporalError } from './temporal-error.ts';

export interface RunToStart {
  readonly runId: string;
  readonly tenant: string;
  readonly taskQueue: string;
  readonly version: StoredVersion;
  readonly input: Json;
  readonly event: CloudEvent | null;
  readonly initiator: Initiator;
  readonly entity: { readonly type: string; readonly id: string } | null;
  /** Whether it has a key of its definition. */
  readonly keyed: boolean;
}

/** Longest that a start may take before its caller is told that Temporal is not there. */
const START_TIMEOUT_MS = 10_000;

/**
 * Gives once Temporal has the run, now or from before.
 * @throws FermataError `temporal.unavailable` (it may have begun all the same), `temporal.rejected`
 */
export async function startRun(parts: ClientParts, run: RunToStart): Promise<void> {
  await startInTemporal(parts, run);
  // Where this fails, workers find out by themselves.
  if (run.keyed)
    await parts.store
      .forTenant(run.tenant)
      .runs.markBegun(run.runId)
      .catch(() => undefined);
}

async function startInTemporal({ temporal, settings }: ClientParts, run: RunToStart): Promise<void> {
  const options: WorkflowStartOptions = {
    workflowId: run.runId,
    taskQueue: run.taskQueue,
    args: [wireStart(run)],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowExecutionTimeout: LIMITS.runTimeoutMs,
    typedSearchAttributes: attributesOf({ ...run, version: run.version.version, eventId: run.event?.id ?? null }),
    requestEagerStart: canStartEagerly(temporal),
  };
  try {
    await temporal.withDeadline(Date.now() + START_TIMEOUT_MS, () => temporal.workflow.start(run.version.id, options));
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    throw toTemporalError(error, settings.temporal.address);
  }
}

function wireStart({ runId, tenant, version, input, event, initiator, entity }: RunToStart): WireStart {
  return { definition: sentVersion(version), input, event, run: { id: runId, tenant, initiator, entity } };
}

/** A version as it travels with its run: whole, or by reference where it is too large for that. */
export function sentVersion({
  id,
  version,
  hash,
  document,
  bindings,
}: StoredVersion): DefinitionVersion | DefinitionReference {
  const reference = { id, version, hash };
  const inline = jsonBytes(document as never) <= LIMITS.inlineDefinitionBytes;
  return inline ? { ...reference, document, handlers: bindings } : reference;
}

/** Whether the client shares its connection with a worker of this process, which may then get the first task at once. */
function canStartEagerly({ connection }: Client): boolean {
  const { [InternalConnectionLikeSymbol]: capabilities } = connection as InternalConnectionLike;
  return capabilities?.supportsEagerStart === true;
}
