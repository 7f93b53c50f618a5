/**
 * Working-time calendars of one tenant, as immutable versions.
 *
 * Invariants:
 * 1. A version never changes and never goes. The newest is the one that is used where none is asked for.
 * 2. Putting the content of the newest version again changes nothing; any other content makes the next version.
 */
import { sql } from 'kysely';
import { FermataError } from '../definitions/fermata-error.ts';
import type { Calendar } from '../definitions/time/calendar.ts';
import type { Database } from './database.ts';
import { sha256 } from './definition-hash.ts';
import { pageSize } from './page.ts';

export interface StoredCalendar {
  readonly name: string;
  readonly version: number;
  readonly document: Calendar;
  readonly createdAt: Date;
}

export interface CalendarSummary {
  readonly name: string;
  /** The newest. */
  readonly version: number;
  /** When it was stored. */
  readonly updatedAt: Date;
}

export interface PutCalendar {
  readonly name: string;
  readonly version: number;
  /** `false`: the newest version had this content already. */
  readonly created: boolean;
}

export class CalendarStore {
  readonly #db: Database;
  readonly #tenant: string;

  constructor(db: Database, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  /** Stores a calendar. Of many at once with one content, one creates and all get its number. */
  async put(document: Calendar): Promise<PutCalendar> {
    const { name } = document;
    const text = JSON.stringify(document);
    const hash = sha256(text);
    return await this.#db.transaction().execute(async (trx) => {
      const lock = JSON.stringify(['fermata.calendar', this.#tenant, name]);
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
      const newest = await trx
        .selectFrom('fermata.calendar_versions')
        .select(['version', 'hash'])
        .where('tenant', '=', this.#tenant)
        .where('name', '=', name)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (newest?.hash === hash) return { name, version: newest.version, created: false };
      const version = (newest?.version ?? 0) + 1;
      await trx
        .insertInto('fermata.calendar_versions')
        .values({ tenant: this.#tenant, name, version, hash, document: text })
        .execute();
      return { name, version, created: true };
    });
  }

  /** One version, without `version` the newest; `null`: there is none. */
  async find(name: string, version: number | null = null): Promise<StoredCalendar | null> {
    // No name has it, and PostgreSQL takes no text with it: an expression may make one.
    if (name.includes('\u0000')) return null;
    const versions = this.#db
      .selectFrom('fermata.calendar_versions')
      .select(['name', 'version', 'document', 'created_at as createdAt'])
      .where('tenant', '=', this.#tenant)
      .where('name', '=', name);
    const row = await (version === null ? versions : versions.where('version', '=', version))
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : { ...row, document: JSON.parse(row.document) as Calendar };
  }

  /** The same. @throws calendar.not_found */
  async get(name: string, version?: number): Promise<StoredCalendar> {
    const found = await this.find(name, version);
    if (found !== null) return found;
    const which = version === undefined ? '' : `version ${version} of `;
    const message = `there is no ${which}calendar "${name}" of the tenant "${this.#tenant}"`;
    throw new FermataError('calendar.not_found', message, { name, version: version ?? null, tenant: this.#tenant });
  }

  /** The names of all. */
  async names(): Promise<readonly string[]> {
    const named = this.#db.selectFrom('fermata.calendar_versions').select('name').distinct();
    return (await named.where('tenant', '=', this.#tenant).execute()).map(({ name }) => name);
  }

  /** Calendars by name, behind `after`. */
  async list(page: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly CalendarSummary[]> {
    return await this.#db
      .selectFrom('fermata.calendar_versions')
      .distinctOn('name')
      .select(['name', 'version', 'created_at as updatedAt'])
      .where('tenant', '=', this.#tenant)
      .where('name', '>', page.after ?? '')
      .orderBy('name')
      .orderBy('version', 'desc')
      .limit(pageSize(page.limit))
      .execute();
  }
}
