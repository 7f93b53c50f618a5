/**
 * Handlers of one tenant as its workers report them: what publishing and validation know of commands.
 *
 * Invariant: the newest report of a (type, version) stands; entries are never taken away, since a worker that is down
 * for a moment still has its handlers.
 */
import { sql } from 'kysely';
import type { HandlerCatalog, HandlerEntry } from '../definitions/handler-catalog.ts';
import type { Database } from './database.ts';

/** One handler of a worker. */
export interface HandlerReport {
  readonly type: string;
  readonly version: number;
  readonly entry: HandlerEntry;
}

export class HandlerStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /** Writes what a worker has; `worker` names it to people, such as `pid@host`. */
  async report(worker: string, handlers: readonly HandlerReport[]): Promise<void> {
    if (handlers.length === 0) return;
    const rows = handlers.map(({ type, version, entry }) => ({ type, version, manifest: JSON.stringify(entry) }));
    await sql`
      insert into fermata.handlers (tenant, type, version, manifest, reported_by)
      select ${this.#tenant}, type, version, manifest::json, ${worker}
      from json_to_recordset(${JSON.stringify(rows)}::json) as row(type text, version integer, manifest text)
      order by type, version
      on conflict (tenant, type, version) do update set manifest = excluded.manifest,
        reported_by = excluded.reported_by, last_seen = clock_timestamp()`.execute(this.#db);
  }

  /** Everything that workers reported. */
  async catalog(): Promise<HandlerCatalog> {
    const rows = await this.#db
      .selectFrom('fermata.handlers')
      .select(['type', 'version', 'manifest'])
      .where('tenant', '=', this.#tenant)
      .orderBy('type')
      .orderBy('version')
      .execute();
    const versionsByType = new Map<string, [string, HandlerEntry][]>();
    for (const { type, version, manifest } of rows) {
      const versions = versionsByType.get(type) ?? [];
      versions.push([String(version), manifest]);
      versionsByType.set(type, versions);
    }
    return Object.fromEntries([...versionsByType].map(([type, versions]) => [type, Object.fromEntries(versions)]));
  }
}
