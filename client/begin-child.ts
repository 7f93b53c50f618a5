/**
 * Registering a run that a run begins: its version, its input against the schema, its key, its row. Temporal starts it
 * then, as the child of the run that began it.
 *
 * Invariants:
 * 1. The same doors as everywhere: what refuses a start by hand refuses this one. `enabled` is about events and schedules,
 *    so a disabled definition can be begun.
 * 2. Asked again for the same run it gives what it gave before: the row keeps the version.
 * 3. A run has its input itself: what the one that begins it keeps outside its history is put in its place.
 * 4. What has to wait for its key is begun by workers when its turn comes, as any run is.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { startFacts } from '../definitions/start-facts.ts';
import {
  keyTaken,
  type NewRun,
  type Registration,
  type Store,
  type StoredRun,
  type StoredVersion,
} from '../store/index.ts';
import type { ChildRequest, RegisteredChild } from '../workflows/temporal/wire.ts';
import { register } from './begin-run.ts';
import type { ClientParts } from './client-parts.ts';
import { sentVersion } from './start-run.ts';
import { wholeValue } from './whole-value.ts';

/** @throws FermataError as a start by hand, and `run.already_exists` where the id belongs to a run of another origin */
export async function beginChild(parts: ClientParts, request: ChildRequest): Promise<RegisteredChild> {
  const { definitionId, input, run, taskQueue } = request;
  const { id: runId, tenant, initiator } = run;
  const store = parts.store.forTenant(tenant);
  const version = await store.definitions.get(definitionId, request.version ?? undefined);
  const whole = await wholeValue(parts, { tenant, runId: initiator.id }, input);
  const facts = startFacts(version.document, {
    event: null,
    trigger: null,
    input: whole,
    run: { id: runId, version: version.version, tenant, initiator },
    atMs: Date.now(),
  });
  const identity = { runId, definitionId, version: version.version, hash: version.hash };
  const wanted = { ...facts, ...identity, eventId: null, initiator, taskQueue };
  const registered = await toRegistered(store, version, { ...(await register({ ...parts, store }, wanted)), wanted });
  return registered.kind === 'start' && whole !== input ? { ...registered, input: whole } : registered;
}

async function toRegistered(
  store: Store,
  version: StoredVersion,
  { status, run: known, wanted }: Registration & { readonly wanted: NewRun },
): Promise<RegisteredChild> {
  const { tenant } = store;
  switch (status) {
    case 'begin':
      return { kind: 'start', definition: sentVersion(version), entity: wanted.entity };
    case 'joined':
      return elsewhere(known, { tenant, own: false });
    case 'queued':
      return elsewhere(known, { tenant, own: true });
    case 'rejected':
      throw keyTaken(wanted, known.runId);
    case 'known': {
      if (!isBegunBy(known, wanted)) throw belongsToAnother(wanted.runId);
      if (known.waitsFor !== null) return elsewhere(known, { tenant, own: true });
      const first = await store.definitions.get(known.definitionId, known.version ?? undefined);
      return { kind: 'start', definition: sentVersion(first), entity: known.entity };
    }
  }
}

function elsewhere(
  { runId, version }: StoredRun,
  { tenant, own }: { readonly tenant: string; readonly own: boolean },
): RegisteredChild {
  return { kind: 'elsewhere', runId, version, tenant, own, stored: true };
}

function isBegunBy({ initiator, definitionId }: StoredRun, wanted: NewRun): boolean {
  return definitionId === wanted.definitionId && initiator?.kind === 'run' && initiator.id === wanted.initiator.id;
}

function belongsToAnother(runId: string): FermataError {
  const message = `the run "${runId}" is there already and was begun by somebody else; start runs by hand under other ids`;
  return new FermataError('run.already_exists', message, { runId });
}
