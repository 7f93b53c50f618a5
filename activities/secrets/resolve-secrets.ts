/**
 * Puts secrets in the place of their references, `{ "$secret": "crm/key" }`, in the worker that is about to use them.
 *
 * Invariants:
 * 1. A reference is an object whose only key is `$secret`; with other keys beside it, it is refused, not guessed at.
 * 2. What is read is never looked at again: a secret whose text looks like a reference stays text.
 */
import { CommandError } from '../command-error.ts';
import type { Json } from '../../definitions/types.ts';

const KEY = '$secret';

/**
 * `payload` with every reference replaced by what `read` gives for its name; the same object when there is none.
 *
 * @throws CommandError `SECRET_INVALID`, and whatever `read` throws.
 */
export async function resolveSecrets(payload: Json, read: (name: string) => Promise<string>): Promise<Json> {
  return hasReference(payload) ? replace(payload, read) : payload;
}

/** Looked for first: nearly all payloads have none, and need no copy. */
function hasReference(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, KEY) || Object.values(value).some(hasReference);
}

async function replace(value: Json, read: (name: string) => Promise<string>): Promise<Json> {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, KEY)) return read(nameOf(value as { readonly [key: string]: Json }));
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value as readonly Json[]) items.push(await replace(item, read));
    return items;
  }
  const entries: [string, Json][] = [];
  for (const [key, member] of Object.entries(value)) entries.push([key, await replace(member, read)]);
  return Object.fromEntries(entries);
}

function nameOf(reference: { readonly [key: string]: Json }): string {
  const name = reference[KEY];
  if (typeof name === 'string' && Object.keys(reference).length === 1) return name;
  throw new CommandError('SECRET_INVALID', 'a reference to a secret must be exactly { "$secret": "name" }', {
    retryable: false,
  });
}
