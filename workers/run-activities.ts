/**
 * What runs themselves ask of their worker, beside the commands of their definitions: a version, and runs that they begin.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { resolveTime } from '../activities/index.ts';
import { awaitChild } from '../client/await-child.ts';
import { beginChild } from '../client/begin-child.ts';
import type { Fermata } from '../client/index.ts';
import { isFermataError } from '../definitions/index.ts';
import { startRefusal } from '../definitions/start-refusal.ts';
import type { Json } from '../definitions/types.ts';
import type { TimeAnswer, TimeRequest } from '../definitions/time/question.ts';
import { AWAIT_CHILD, BEGIN_CHILD, LOAD_DEFINITION, RESOLVE_TIME } from '../definitions/wire.ts';
import type { Store } from '../store/index.ts';
import type {
  ChildRequest,
  ChildToAwait,
  LoadedDefinition,
  LoadRequest,
  RegisteredChild,
} from '../workflows/temporal/wire.ts';

export function runActivities(fermata: Fermata) {
  return {
    [LOAD_DEFINITION]: (request: LoadRequest): Promise<LoadedDefinition> => loadDefinition(fermata.store, request),
    [RESOLVE_TIME]: (request: TimeRequest): Promise<TimeAnswer> => resolveTime(fermata.store, request),
    [BEGIN_CHILD]: (request: ChildRequest): Promise<RegisteredChild> =>
      refusing(() => beginChild(fermata, request)),
    [AWAIT_CHILD]: (child: ChildToAwait): Promise<Json> => {
      const { cancellationSignal: signal, heartbeat } = Context.current();
      return awaitChild(fermata, child, { signal, onLook: () => heartbeat() });
    },
  };
}

/** For runs whose definition is too large to travel with them. */
async function loadDefinition(store: Store, { id, version, hash, tenant }: LoadRequest): Promise<LoadedDefinition> {
  const stored = await store.forTenant(tenant).definitions.getByHash(hash);
  if (stored !== null) return { document: stored.document, handlers: stored.bindings };
  const message = `version ${version} of the definition "${id}" (${hash}) is not in the store of this worker`;
  throw ApplicationFailure.nonRetryable(message, 'DEFINITION_NOT_FOUND');
}

/** What is refused is an error of the node, also where it may be granted later; a store that is away is asked again. */
async function refusing<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!isFermataError(error) || error.code === 'store.unavailable') throw error;
    const { type, message, details } = startRefusal(error);
    throw ApplicationFailure.nonRetryable(message, type, details ?? null);
  }
}
