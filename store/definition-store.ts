/**
 * Published definitions of one tenant. The rules: `publish-version.ts` and `definition-switch.ts`.
 */
import type { Definition, HandlerBindings } from '../definitions/types.ts';
import type { Database } from './database.ts';
import {
  announce,
  definitionNotFound,
  type DefinitionKey,
  lockDefinition,
  switchTo,
  versionNotFound,
  writeSwitch,
} from './definition-switch.ts';
import { pageSize } from './page.ts';
import { type Published, type PublishRequest, publishVersion } from './publish-version.ts';
import { type SubscriptionChange, subscriptionChanges } from './subscriptions.ts';

/** One published version, whole. */
export interface StoredVersion {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
  readonly document: Definition;
  readonly bindings: HandlerBindings;
  readonly createdAt: Date;
}

export interface DefinitionSummary {
  readonly id: string;
  /** Of the active version; the id where it has none. */
  readonly name: string;
  readonly enabled: boolean;
  readonly activeVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface VersionSummary {
  readonly version: number;
  readonly hash: string;
  readonly createdAt: Date;
}

export class DefinitionStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /** Stores a document as a version. Of many at once with one content, one creates and all get its number. */
  async publish(request: PublishRequest): Promise<Published> {
    return await this.#db.transaction().execute((trx) => publishVersion(trx, this.#tenant, request));
  }

  /** Definitions by id, behind `after`. */
  async list(page: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly DefinitionSummary[]> {
    const rows = await this.#summaries()
      .where('definitions.id', '>', page.after ?? '')
      .orderBy('definitions.id')
      .limit(pageSize(page.limit))
      .execute();
    return rows.map(toSummary);
  }

  /** @throws definition.not_found */
  async summary(id: string): Promise<DefinitionSummary> {
    const row = await this.#summaries().where('definitions.id', '=', id).executeTakeFirst();
    if (row === undefined) throw definitionNotFound(this.#key(id));
    return toSummary(row);
  }

  /** The versions of a definition, oldest first. @throws definition.not_found */
  async versions(id: string): Promise<readonly VersionSummary[]> {
    const rows = await this.#db
      .selectFrom('fermata.definition_versions')
      .select(['version', 'hash', 'created_at as createdAt'])
      .where('tenant', '=', this.#tenant)
      .where('id', '=', id)
      .orderBy('version')
      .execute();
    if (rows.length === 0) throw definitionNotFound(this.#key(id));
    return rows;
  }

  /**
   * One version; without `version` the active one.
   * @throws definition.not_found, definition.version_not_found
   */
  async get(id: string, version?: number): Promise<StoredVersion> {
    const wanted = version ?? (await this.summary(id)).activeVersion;
    const row = await this.#versions().where('id', '=', id).where('version', '=', wanted).executeTakeFirst();
    if (row !== undefined) return toStoredVersion(row);
    await this.summary(id);
    throw versionNotFound(this.#key(id), wanted);
  }

  /** The version with this content hash, or `null`. */
  async getByHash(hash: string): Promise<StoredVersion | null> {
    const row = await this.#versions().where('hash', '=', hash).executeTakeFirst();
    return row === undefined ? null : toStoredVersion(row);
  }

  /**
   * What changed behind the revision `since`, a page at a time: give the last revision back until nothing comes. From 0
   * it is every definition.
   */
  async changes(since: number, limit?: number): Promise<readonly SubscriptionChange[]> {
    return await subscriptionChanges(this.#db, this.#tenant, { since, ...(limit === undefined ? {} : { limit }) });
  }

  /**
   * Makes a version the one that new runs get. Changes nothing when it is active already.
   * @throws definition.not_found, definition.version_not_found
   */
  async activate(id: string, version: number): Promise<void> {
    const key = this.#key(id);
    await this.#db.transaction().execute(async (trx) => {
      const before = await lockDefinition(trx, key);
      if ((await switchTo(trx, key, { before, version })) !== before) await announce(trx, key);
    });
  }

  /** Events and schedules start runs again. @throws definition.not_found */
  async enable(id: string): Promise<void> {
    await this.#setEnabled(id, true);
  }

  /** Events and schedules start no more runs; those under way go on. @throws definition.not_found */
  async disable(id: string): Promise<void> {
    await this.#setEnabled(id, false);
  }

  async #setEnabled(id: string, enabled: boolean): Promise<void> {
    const key = this.#key(id);
    await this.#db.transaction().execute(async (trx) => {
      const before = await lockDefinition(trx, key);
      if (before.enabled === enabled) return;
      await writeSwitch(trx, key, { ...before, enabled });
      await announce(trx, key);
    });
  }

  #summaries() {
    return this.#db
      .selectFrom('fermata.definitions as definitions')
      .innerJoin('fermata.definition_versions as versions', (join) =>
        join
          .onRef('versions.tenant', '=', 'definitions.tenant')
          .onRef('versions.id', '=', 'definitions.id')
          .onRef('versions.version', '=', 'definitions.active_version'),
      )
      .select([
        'definitions.id',
        'versions.name',
        'definitions.enabled',
        'versions.version',
        'definitions.created_at',
        'definitions.updated_at',
      ])
      .where('definitions.tenant', '=', this.#tenant);
  }

  #versions() {
    return this.#db
      .selectFrom('fermata.definition_versions')
      .select(['id', 'version', 'hash', 'document', 'bindings', 'created_at'])
      .where('tenant', '=', this.#tenant);
  }

  #key(id: string): DefinitionKey {
    return { tenant: this.#tenant, id };
  }
}

function toSummary(row: {
  id: string;
  name: string | null;
  enabled: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
}): DefinitionSummary {
  return {
    id: row.id,
    name: row.name ?? row.id,
    enabled: row.enabled,
    activeVersion: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toStoredVersion(row: {
  id: string;
  version: number;
  hash: string;
  document: string;
  bindings: HandlerBindings;
  created_at: Date;
}): StoredVersion {
  const { id, version, hash, bindings } = row;
  return { id, version, hash, document: JSON.parse(row.document) as Definition, bindings, createdAt: row.created_at };
}
