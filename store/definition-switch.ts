/**
 * The row of a definition: which version is active, whether it is enabled, and the announcement of changes.
 *
 * Invariants:
 * 1. Whoever changes a definition holds the lock of its row, so changes happen one after the other.
 * 2. `enabled` is a switch of the definition, not of a version. The document's own `enabled` sets it at the first
 *    publishing and whenever the version that becomes active says otherwise than the one before it.
 * 3. Every change is announced in the transaction that makes it, so nobody hears of what was rolled back.
 * 4. Every change gets the tenant's next revision. Its counter is locked until the transaction ends, so whoever sees a
 *    revision sees every change up to it.
 */
import { sql } from 'kysely';
import { FermataError } from '../definitions/fermata-error.ts';
import type { DatabaseTransaction } from './database.ts';

/** Channel of `listen()`; the payload is a {@link DefinitionChange} as JSON. */
export const DEFINITIONS_CHANNEL = 'fermata_definitions';

/** Says which definition changed; what it has become is read with `definitions.changes(since)`. */
export interface DefinitionChange {
  readonly tenant: string;
  readonly definitionId: string;
}

/** Which definition is meant. */
export interface DefinitionKey {
  readonly tenant: string;
  readonly id: string;
}

export interface DefinitionSwitch {
  readonly enabled: boolean;
  readonly activeVersion: number | null;
}

/** @throws definition.not_found */
export async function lockDefinition(trx: DatabaseTransaction, key: DefinitionKey): Promise<DefinitionSwitch> {
  const row = await trx
    .selectFrom('fermata.definitions')
    .select(['enabled', 'active_version as activeVersion'])
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw definitionNotFound(key);
  return row;
}

/**
 * Makes `version` the active one. Gives `before` itself when it was.
 * @throws definition.version_not_found
 */
export async function switchTo(
  trx: DatabaseTransaction,
  key: DefinitionKey,
  move: { readonly before: DefinitionSwitch; readonly version: number },
): Promise<DefinitionSwitch> {
  const { before, version } = move;
  if (before.activeVersion === version) return before;
  const says = await trx
    .selectFrom('fermata.definition_versions')
    .select(['version', 'enabled'])
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .where('version', 'in', [version, before.activeVersion ?? version])
    .execute();
  const next = says.find((row) => row.version === version);
  if (next === undefined) throw versionNotFound(key, version);
  const last = says.find((row) => row.version === before.activeVersion);
  const enabled = last === undefined || last.enabled !== next.enabled ? next.enabled : before.enabled;
  const after = { enabled, activeVersion: version };
  await writeSwitch(trx, key, after);
  return after;
}

export async function writeSwitch(
  trx: DatabaseTransaction,
  key: DefinitionKey,
  state: DefinitionSwitch,
): Promise<void> {
  await trx
    .updateTable('fermata.definitions')
    .set({ enabled: state.enabled, active_version: state.activeVersion, updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .execute();
}

export async function announce(trx: DatabaseTransaction, key: DefinitionKey): Promise<void> {
  await sql`
    with next as (
      insert into fermata.definition_revisions as counter (tenant, revision) values (${key.tenant}, 1)
      on conflict (tenant) do update set revision = counter.revision + 1
      returning revision
    )
    update fermata.definitions set revision = next.revision from next
    where tenant = ${key.tenant} and id = ${key.id}`.execute(trx);
  const change: DefinitionChange = { tenant: key.tenant, definitionId: key.id };
  await sql`select pg_notify(${DEFINITIONS_CHANNEL}, ${JSON.stringify(change)})`.execute(trx);
}

export function definitionNotFound(key: DefinitionKey): FermataError {
  const message = `no definition "${key.id}" is published for the tenant "${key.tenant}"; \`fermata definitions list\` shows those that are`;
  return new FermataError('definition.not_found', message, { definitionId: key.id, tenant: key.tenant });
}

export function versionNotFound(key: DefinitionKey, version: number): FermataError {
  const message = `the definition "${key.id}" has no version ${version}; \`fermata definitions show ${key.id}\` lists its versions`;
  return new FermataError('definition.version_not_found', message, { definitionId: key.id, version });
}
