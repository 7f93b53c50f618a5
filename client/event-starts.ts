/**
 * From an event and the subscriptions to what accepting it needs: the runs that it starts, and why others do not.
 */
import { type FermataError, isFermataError } from '../definitions/fermata-error.ts';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Matched } from '../definitions/matching/index.ts';
import { startFacts } from '../definitions/start-facts.ts';
import type { CloudEvent, Initiator } from '../definitions/types.ts';
import type { EventRefusal, EventStart } from '../store/index.ts';
import { runIdFor } from './run-id.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A definition that listens to the event's type and does not take it. */
export interface NotMatchedDefinition {
  readonly definitionId: string;
  readonly version: number;
  /** The first filter that did not hold. */
  readonly reason: { readonly path: string; readonly message: string };
}

export interface EventPlan {
  readonly starts: readonly EventStart[];
  readonly refusals: readonly EventRefusal[];
  readonly unmatched: readonly NotMatchedDefinition[];
  /** Of the definitions that it was made from. */
  readonly revision: number;
}

/** Definitions that did not match of which an answer tells. */
const MAX_UNMATCHED = 100;

export async function planStarts(
  event: CloudEvent,
  subscriptions: Subscriptions,
  context: { readonly tenant: string; readonly nowMs: number },
): Promise<EventPlan> {
  // Without a pause in between: what was matched is what `revision` counts.
  const { index, revision } = subscriptions;
  const matches = index.match(event, context.tenant);
  const { answers } = index.explain(event, context.tenant, { limit: MAX_UNMATCHED });
  const unmatched = answers.flatMap((answer) => {
    if (answer.matched) return [];
    const { definitionId, version, reason } = answer;
    return [{ definitionId, version, reason: { path: reason.path, message: reason.message } }];
  });
  const planned = await Promise.all(matches.map((match) => planStart(event, match, { ...context, subscriptions })));
  return {
    starts: planned.flatMap((one) => ('error' in one ? [] : [one])),
    refusals: planned.flatMap((one) => ('error' in one ? [one] : [])),
    unmatched,
    revision,
  };
}

async function planStart(
  event: CloudEvent,
  { definitionId, version: number, trigger }: Matched,
  context: { readonly tenant: string; readonly nowMs: number; readonly subscriptions: Subscriptions },
): Promise<EventStart | EventRefusal> {
  const { version, triggers } = await context.subscriptions.version(definitionId, number);
  const initiator: Initiator = { id: event.source, kind: 'event' };
  const runId = runIdFor(context.tenant, definitionId, event.id);
  const identity = { definitionId, version: number };
  try {
    const facts = startFacts(version.document, {
      event,
      trigger: triggers[trigger] ?? null,
      run: { id: runId, version: number, tenant: context.tenant, initiator },
      atMs: context.nowMs,
    });
    return { ...identity, runId, hash: version.hash, initiator, ...facts };
  } catch (error) {
    if (!isFermataError(error)) throw error;
    return { ...identity, error: refusalOf(error) };
  }
}

/** Why a start is refused for good, as the answer to the event tells it. */
function refusalOf({ code, message, details }: FermataError): ErrorInfo {
  const type = code === 'input.too_large' ? 'PAYLOAD_TOO_LARGE' : 'INPUT_INVALID';
  return { type, message, nodeId: null, ...(details === null ? {} : { details }) };
}
