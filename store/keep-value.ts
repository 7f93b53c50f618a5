/**
 * Keeping a value and reading it again, in whichever store.
 *
 * Invariant: what is read is what was kept: the hash by which a value is asked for is checked against its text.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import type { KeptValue } from '../definitions/json/kept-value.ts';
import type { Json } from '../definitions/types.ts';
import { sha256 } from './definition-hash.ts';
import type { ValueKey, ValueStore } from './value-store.ts';

/** Whose value it is. */
export type ValueOwner = Pick<ValueKey, 'tenant' | 'runId'>;

/** Keeps the JSON text of a value, and gives the reference that stands for it. */
export async function keepValue(store: ValueStore, owner: ValueOwner, text: string): Promise<KeptValue> {
  const hash = sha256(text);
  await store.put({ ...owner, hash }, text);
  return { $value: hash, bytes: Buffer.byteLength(text) };
}

/**
 * @param owner Who holds the reference.
 * @throws FermataError `value.not_found` where the run that is to keep the value does not
 */
export async function readValue(
  store: ValueStore,
  owner: ValueOwner,
  { $value: hash, of: runId = owner.runId }: KeptValue,
): Promise<{ readonly value: Json; readonly bytes: number }> {
  const text = await store.get({ ...owner, runId, hash });
  if (text !== null && sha256(text) === hash)
    return { value: JSON.parse(text) as Json, bytes: Buffer.byteLength(text) };
  const why = text === null ? 'is not in' : 'is changed in';
  throw new FermataError('value.not_found', `a value ${hash} of the run "${runId}" ${why} the store of values`, {
    runId,
    hash,
  });
}
