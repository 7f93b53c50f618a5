/**
 * Registers Fermata's search attributes in a namespace, on our own server as on an existing one.
 *
 * 1. What is there is left alone: calling it again, or from several workers at once, changes nothing.
 * 2. An attribute of the same name with another type is refused, never replaced.
 */
import { FermataError } from '../../definitions/fermata-error.ts';
import type { Connection } from '@temporalio/client';
import { reasonOf } from '../../definitions/reason-of.ts';
import { SEARCH_ATTRIBUTES } from '../../definitions/search-attributes.ts';
import { waitUntil } from './wait-until.ts';

/** Numbers of `temporal.api.enums.v1.IndexedValueType`. */
const TYPES = { Keyword: 2, Int: 3 } as const;

/** What a client's and a worker's connection both have. */
type Operator = Pick<Connection, 'operatorService'>;

/**
 * Gives the names that were added.
 * @throws FermataError `temporal.rejected` when the credentials do not allow it, or a type differs
 */
export async function registerSearchAttributes(connection: Operator, namespace: string): Promise<string[]> {
  const missing = await missingAttributes(connection, namespace);
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, TYPES[SEARCH_ATTRIBUTES[name]]]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    // Another worker may have added them between our look and our call.
    if ((await missingAttributes(connection, namespace)).length > 0) throw refused(namespace, missing, error);
  }
  const settled = await waitUntil(
    async () => ((await missingAttributes(connection, namespace)).length === 0 ? true : null),
    { timeoutMs: 10_000, everyMs: 100 },
  );
  if (settled === null) throw refused(namespace, missing, new Error('the server has not taken them within 10 s'));
  return missing;
}

type Name = keyof typeof SEARCH_ATTRIBUTES;

async function missingAttributes(connection: Operator, namespace: string): Promise<Name[]> {
  const names = Object.keys(SEARCH_ATTRIBUTES) as Name[];
  let present: Record<string, unknown>;
  try {
    present = (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes;
  } catch (error) {
    throw refused(namespace, names, error);
  }
  const wrong = names.find((name) => name in present && present[name] !== TYPES[SEARCH_ATTRIBUTES[name]]);
  if (wrong !== undefined) {
    const message = `Search attribute ${wrong} of namespace ${namespace} is not of type ${SEARCH_ATTRIBUTES[wrong]}. Use a namespace of its own for Fermata.`;
    throw new FermataError('temporal.rejected', message);
  }
  return names.filter((name) => !(name in present));
}

function refused(namespace: string, names: readonly Name[], cause: unknown): FermataError {
  const commands = names.map(
    (name) =>
      `\n  temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${SEARCH_ATTRIBUTES[name]}`,
  );
  const message = `The search attributes of namespace ${namespace} could not be registered: ${reasonOf(cause)}. Let an administrator add them (Temporal Cloud: in the namespace's settings):${commands.join('')}`;
  return new FermataError('temporal.rejected', message, { names: [...names] }, { cause });
}
