/**
 * Where secrets come from: the worker's environment, files, or a source of one's own.
 *
 * Invariants:
 * 1. Sources are asked in order; the first that has the name answers. Nothing is cached, so a rotated secret is seen by
 *    the next attempt.
 * 2. A name is letters, digits and `. _ -` in parts joined by `/`, each part beginning with a letter or digit: no name
 *    leads out of the directory of secrets.
 * 3. A value shorter than {@link SHORTEST_SECRET} is refused: hiding it would hide half of every text, and not hiding it
 *    would show it.
 */
import { readFile, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { CommandError } from '../command-error.ts';

/** In characters. */
export const SHORTEST_SECRET = 4;

export interface SecretSource {
  /** Where it looks for `name`, for the message when nobody has it: `environment variable FERMATA_SECRET_CRM_KEY`. */
  describe(name: string): string;
  /** The value, or `null` where this source does not have the name. The tenant is that of the run that asks. */
  read(name: string, asker: { readonly tenant: string }): Promise<string | null>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const LONGEST_NAME = 200;

/**
 * The environment variable `FERMATA_SECRET_` + the name in upper case, every character but letters and digits as `_`:
 * `crm/api-key` is `FERMATA_SECRET_CRM_API_KEY`. Names that differ only in such characters or in case share a variable.
 */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): SecretSource {
  const variable = (name: string): string => `FERMATA_SECRET_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
  return {
    describe: (name) => `environment variable ${variable(name)}`,
    async read(name) {
      return env[variable(name)] ?? null;
    },
  };
}

/**
 * The file of that name below `directory` (`crm/key` is the file `key` in the folder `crm`), as Docker and Kubernetes
 * mount secrets. One newline at the end is left off. Links are followed as long as they stay below `directory`.
 */
export function fileSecrets(directory: string): SecretSource {
  return {
    describe: (name) => `file ${name} below the directory of secrets`,
    async read(name) {
      try {
        const root = await realpath(directory);
        const path = await realpath(resolve(root, name));
        if (!path.startsWith(root + sep)) return null;
        return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
  };
}

/** The sources that a worker has by default: the environment, then the directory `FERMATA_SECRETS_DIR` if it is set. */
export function defaultSecrets(env: Readonly<Record<string, string | undefined>>): readonly SecretSource[] {
  const directory = env['FERMATA_SECRETS_DIR'];
  return directory === undefined || directory === ''
    ? [environmentSecrets(env)]
    : [environmentSecrets(env), fileSecrets(directory)];
}

/**
 * @throws CommandError, not retryable: `SECRET_INVALID` for a name of the wrong form or a value that is too short,
 * `SECRET_NOT_FOUND` when no source has it. Both name the secret, never its value.
 */
export async function readSecret(
  sources: readonly SecretSource[],
  name: string,
  asker: { readonly tenant: string },
): Promise<string> {
  if (typeof name !== 'string' || name.length > LONGEST_NAME || !NAME.test(name)) {
    throw fault(
      'SECRET_INVALID',
      String(name).slice(0, LONGEST_NAME),
      'is no name of a secret; write it as in "crm/api-key"',
    );
  }
  for (const source of sources) {
    const value = await source.read(name, asker);
    if (value === null) continue;
    if (value.length >= SHORTEST_SECRET) return value;
    throw fault('SECRET_INVALID', name, `is shorter than ${SHORTEST_SECRET} characters and cannot be kept out of logs`);
  }
  const places = sources.map((source) => source.describe(name)).join(', nor as ');
  throw fault(
    'SECRET_NOT_FOUND',
    name,
    places === '' ? 'is not set: the worker has no secrets' : `is not set as ${places}`,
  );
}

function fault(type: 'SECRET_INVALID' | 'SECRET_NOT_FOUND', name: string, why: string): CommandError {
  return new CommandError(type, `secret ${JSON.stringify(name)} ${why}`, {
    retryable: false,
    details: { secret: name },
  });
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
