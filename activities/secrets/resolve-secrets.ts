/**
 * Puts secrets in the place of their references, `{ "$secret": "crm/key" }`, in the worker that is about to use them.
 *
 * Invariants:
 * 1. Only the references that the definition wrote are followed; the walker names them by their pointers. Data that
 *    looks like a reference stays data.
 * 2. A reference is an object whose only key is `$secret`; anything else at a pointer is refused, not guessed at.
 * 3. What is read is never looked at again: a secret whose text looks like a reference stays text.
 */
import { CommandError } from '../command-error.ts';
import { fromPointer } from '../../definitions/json/path.ts';
import { SECRET_KEY } from '../../definitions/secret-references.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';

/**
 * `payload` with what `read` gives at each of `pointers`; the same object when there are none.
 *
 * @throws CommandError `SECRET_INVALID`, and whatever `read` throws.
 */
export async function resolveSecrets(
  payload: Json,
  pointers: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<Json> {
  let resolved = payload;
  for (const pointer of pointers) resolved = await replaceAt(resolved, fromPointer(pointer), read);
  return resolved;
}

async function replaceAt(
  value: Json | undefined,
  keys: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<Json> {
  const [key, ...rest] = keys;
  if (key === undefined) return read(nameOf(value));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return read(nameOf(undefined));
  const member = await replaceAt((value as JsonObject)[key], rest, read);
  const entries = Object.entries(value).map(([name, old]) => [name, name === key ? member : old] as const);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function nameOf(reference: Json | undefined): string {
  if (typeof reference === 'object' && reference !== null && Object.keys(reference).length === 1) {
    const name = (reference as JsonObject)[SECRET_KEY];
    if (typeof name === 'string') return name;
  }
  throw new CommandError('SECRET_INVALID', 'a reference to a secret must be exactly { "$secret": "name" }', {
    retryable: false,
  });
}
