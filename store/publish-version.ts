/**
 * Publishing: a document becomes a version.
 *
 * Invariants:
 * 1. One content is one version. Publishing the content of any version again, the newest or an old one, makes none and
 *    gives that version; with `activate` it becomes the active one, so publishing an old content is a roll-back.
 * 2. A version never changes. Only a command whose handler was unknown at publishing gets what the handler declares when
 *    the same content is published again; its handler version stays, and so does every binding that is known.
 */
import { sql } from 'kysely';
import { eventTriggers } from '../definitions/event-triggers.ts';
import type { Definition, HandlerBinding, HandlerBindings } from '../definitions/types.ts';
import type { DatabaseTransaction } from './database.ts';
import { definitionHash } from './definition-hash.ts';
import { announce, type DefinitionKey, lockDefinition, switchTo } from './definition-switch.ts';

export interface PublishRequest {
  readonly document: Definition;
  /** What is known of the handlers that the document names. Default: nothing. */
  readonly bindings?: HandlerBindings;
  /** Whether the version becomes the active one. Default `true`; the first version always does. */
  readonly activate?: boolean;
}

export interface Published {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
  /** `false`: a version with this content was there already. */
  readonly created: boolean;
  readonly activeVersion: number;
  readonly enabled: boolean;
}

export async function publishVersion(
  trx: DatabaseTransaction,
  tenant: string,
  request: PublishRequest,
): Promise<Published> {
  const { document, bindings = {}, activate = true } = request;
  const key: DefinitionKey = { tenant, id: document.id };
  const hash = definitionHash(document);
  await trx
    .insertInto('fermata.definitions')
    .values({ ...key, enabled: document.enabled ?? true, active_version: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await lockDefinition(trx, key);
  const same = await findVersion(trx, key, hash);
  const version = same ?? (await insertVersion(trx, key, { document, bindings, hash }));
  const bound = same !== undefined && (await completeBindings(trx, key, { version, bindings }));
  const moves = activate || before.activeVersion === null;
  const after = moves ? await switchTo(trx, key, { before, version }) : before;
  if (same === undefined || bound || after !== before) await announce(trx, key);
  return {
    id: key.id,
    version,
    hash,
    created: same === undefined,
    activeVersion: after.activeVersion ?? version,
    enabled: after.enabled,
  };
}

async function findVersion(trx: DatabaseTransaction, key: DefinitionKey, hash: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('fermata.definition_versions')
    .select('version')
    .where('tenant', '=', key.tenant)
    .where('hash', '=', hash)
    .where('id', '=', key.id)
    .executeTakeFirst();
  return row?.version;
}

async function insertVersion(
  trx: DatabaseTransaction,
  key: DefinitionKey,
  content: { document: Definition; bindings: HandlerBindings; hash: string },
): Promise<number> {
  const { document, bindings, hash } = content;
  const { newest } = await trx
    .selectFrom('fermata.definition_versions')
    .select(sql<number>`coalesce(max(version), 0)`.as('newest'))
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('fermata.definition_versions')
    .values({
      ...key,
      version: newest + 1,
      hash,
      document: JSON.stringify(document),
      name: document.name ?? null,
      triggers: JSON.stringify(eventTriggers(document)),
      enabled: document.enabled ?? true,
      bindings: JSON.stringify(bindings),
    })
    .execute();
  return newest + 1;
}

/** Completes the bindings of handlers that were unknown. Says whether any was. */
async function completeBindings(
  trx: DatabaseTransaction,
  key: DefinitionKey,
  target: { version: number; bindings: HandlerBindings },
): Promise<boolean> {
  const { bindings: stored } = await trx
    .selectFrom('fermata.definition_versions')
    .select('bindings')
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .where('version', '=', target.version)
    .executeTakeFirstOrThrow();
  const known = Object.entries(target.bindings).filter(
    ([command, binding]) => declaresMore(binding) && completes(stored[command], binding),
  );
  if (known.length === 0) return false;
  await trx
    .updateTable('fermata.definition_versions')
    .set({ bindings: JSON.stringify({ ...stored, ...Object.fromEntries(known) }) })
    .where('tenant', '=', key.tenant)
    .where('id', '=', key.id)
    .where('version', '=', target.version)
    .execute();
  return true;
}

function completes(stored: HandlerBinding | undefined, found: HandlerBinding): boolean {
  return stored === undefined || (!declaresMore(stored) && stored.version === found.version);
}

/** Whether a handler was known: one that nobody has leaves its version alone. */
function declaresMore(binding: HandlerBinding): boolean {
  return Object.keys(binding).length > 1;
}
