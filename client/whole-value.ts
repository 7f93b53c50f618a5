/**
 * What a run gives, with the values that are kept outside its history in their places: for applications, other runs and
 * events.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { replaceKept } from '../definitions/json/kept-value.ts';
import { LIMITS } from '../definitions/limits.ts';
import type { Json } from '../definitions/types.ts';
import { readValue, type ValueOwner } from '../store/index.ts';
import type { ClientParts } from './client-parts.ts';

/** @throws FermataError `value.not_found`, `value.too_large` */
export async function wholeValue({ store, settings }: ClientParts, owner: ValueOwner, value: Json): Promise<Json> {
  const values = settings.values?.store ?? store.values;
  let room: number = LIMITS.mostKeptBytes;
  return await replaceKept(value, async (kept) => {
    const part = await readValue(values, owner, kept);
    room -= part.bytes;
    if (room < 0) throw tooLarge(owner);
    return part.value;
  });
}

function tooLarge({ runId }: ValueOwner): FermataError {
  const limit = LIMITS.mostKeptBytes;
  const message = `the output of the run "${runId}" has more than ${limit} bytes with its kept values; let a command of the run hand it over`;
  return new FermataError('value.too_large', message, { runId, limit });
}
