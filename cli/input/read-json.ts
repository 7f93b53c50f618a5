/**
 * JSON that people give: in place, from a file as `@file`, or from standard input as `-`.
 *
 * Invariants:
 * 1. It is read by the strict reader, which sees digits: what would be rounded is refused with its path.
 */
import { FermataError, isFermataError, type Json, type JsonObject, parseJson } from '../../definitions/index.ts';
import type { Io } from '../io.ts';
import { type NamedText, readText } from './read-file.ts';

/** How the value of such an option is described in help. */
export const JSON_FORMS = 'JSON, @file, or - for standard input';

/**
 * @param option how messages call it, such as `--event`
 * @throws FermataError `json.invalid` whose message names the option or file; `usage.invalid`
 */
export async function readJsonOption(io: Io, option: string, value: string): Promise<Json> {
  if (value === '-') return parseNamed(await readText(io, '-'));
  if (value.startsWith('@')) return parseNamed(await readText(io, value.slice(1)));
  return parseNamed({ name: option, text: value });
}

export function parseNamed({ name, text }: NamedText): Json {
  if (text.trim() === '') {
    throw new FermataError('json.invalid', `${name} is empty; JSON was expected`, { source: name, path: '' });
  }
  return naming(name, () => parseJson(text));
}

/** Puts the name of the text before the message of a refusal. */
export function naming<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isFermataError(error)) throw error;
    const details = { ...fieldsOf(error.details), source: name };
    throw new FermataError(error.code, `${name}: ${error.message}`, details, { cause: error });
  }
}

function fieldsOf(details: Json): JsonObject {
  return typeof details === 'object' && details !== null && !Array.isArray(details) ? (details as JsonObject) : {};
}
