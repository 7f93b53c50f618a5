/**
 * What runs themselves ask of their worker, beside the commands of their definitions: a version, runs that they
 * begin, events that they wait for and that they publish.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { resolveTime } from '../activities/index.ts';
import { awaitChild } from '../client/await-child.ts';
import { beginChild } from '../client/begin-child.ts';
import { Emitter } from '../client/emitter.ts';
import type { Fermata } from '../client/index.ts';
import { isFermataError } from '../definitions/index.ts';
import { startRefusal } from '../definitions/start-refusal.ts';
import type { WaitAnswer } from '../definitions/event-waits.ts';
import type { Json } from '../definitions/types.ts';
import type { TimeAnswer, TimeRequest } from '../definitions/time/question.ts';
import {
  AWAIT_CHILD,
  BEGIN_CHILD,
  EMIT,
  LOAD_DEFINITION,
  NOTIFY,
  REGISTER_WAIT,
  RESOLVE_TIME,
} from '../definitions/wire.ts';
import type { Store } from '../store/index.ts';
import type { NotifyHook } from './notify.ts';
import type {
  ChildRequest,
  ChildToAwait,
  EmitRequest,
  LoadedDefinition,
  LoadRequest,
  NotifyRequest,
  RegisteredChild,
  WaitRequest,
} from '../workflows/temporal/wire.ts';

export interface RunActivityOptions {
  readonly notify: NotifyHook | undefined;
  /** Whether the worker shuts down. */
  readonly isLeaving: () => boolean;
}

export function runActivities(fermata: Fermata, { notify, isLeaving }: RunActivityOptions) {
  const emitter = new Emitter(fermata);
  return {
    [LOAD_DEFINITION]: (request: LoadRequest): Promise<LoadedDefinition> => loadDefinition(fermata.store, request),
    [RESOLVE_TIME]: (request: TimeRequest): Promise<TimeAnswer> => resolveTime(fermata.store, request),
    [BEGIN_CHILD]: (request: ChildRequest): Promise<RegisteredChild> => refusing(() => beginChild(fermata, request)),
    [REGISTER_WAIT]: ({ tenant, ...wait }: WaitRequest): Promise<WaitAnswer> =>
      fermata.store.forTenant(tenant).eventWaits.register(wait),
    [EMIT]: (request: EmitRequest): Promise<string> => emit(emitter, request),
    [NOTIFY]: async (request: NotifyRequest): Promise<void> => {
      await notify?.(request);
    },
    [AWAIT_CHILD]: (child: ChildToAwait): Promise<Json> => {
      const { cancellationSignal: signal, heartbeat } = Context.current();
      return awaitChild(fermata, child, { signal, isLeaving, onLook: () => heartbeat() });
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

/** An event that no door takes is an error of the node. */
async function emit(emitter: Emitter, request: EmitRequest): Promise<string> {
  try {
    return await emitter.emit(request);
  } catch (error) {
    if (!isFermataError(error) || !UNFIT.has(error.code)) throw error;
    const type = error.code.endsWith('.too_large') ? 'PAYLOAD_TOO_LARGE' : 'INPUT_INVALID';
    throw ApplicationFailure.nonRetryable(error.message, type, error.details ?? null);
  }
}

const UNFIT: ReadonlySet<string> = new Set([
  'event.invalid',
  'event.conflict',
  'input.too_large',
  'value.not_found',
  'value.too_large',
]);

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
