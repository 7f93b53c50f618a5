/**
 * Brings a database to the tables of this release.
 *
 * Invariants:
 * 1. Any number of processes may migrate at once: one does, the others wait and find nothing to do.
 * 2. All or nothing: a migration that fails leaves the database as it was.
 * 3. A database of a newer release is left alone, so that an older worker still starts during a rollback.
 */
import { type Migration, Migrator, sql } from 'kysely';
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';
import { reasonOf } from '../definitions/reason-of.ts';
import type { Database } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

const SCHEMA = 'fermata';
const JOURNAL = 'migrations';
/** Any fixed number; it serialises whoever migrates this database. */
const LOCK_KEY = 7_221_965_023;

/**
 * Applies what is missing. Gives the names of the migrations that this call applied.
 * @throws store.invalid when the role may not create the tables or another release left a gap
 */
export async function migrate(db: Database): Promise<readonly string[]> {
  if (await upToDate(db)) return [];
  return await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCK_KEY})`.execute(connection);
    try {
      if (await upToDate(connection)) return [];
      return await applyAll(connection);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(connection);
    }
  });
}

/** @throws store.invalid when a migration of this release is missing */
export async function checkMigrated(db: Database): Promise<void> {
  if (await upToDate(db)) return;
  const message =
    'the database lacks tables of this release; run the migrations: every worker and `fermata dev` do so at start';
  throw new FermataError('store.invalid', message);
}

async function upToDate(db: Database): Promise<boolean> {
  const table = `${SCHEMA}.${JOURNAL}`;
  const found = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(db);
  if (found.rows[0]?.there !== true) return false;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  return Object.keys(MIGRATIONS).every((name) => applied.has(name));
}

async function applyAll(db: Database): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(asMigrations()) },
    migrationTableSchema: SCHEMA,
    migrationTableName: JOURNAL,
    migrationLockTableName: `${JOURNAL}_lock`,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw migrationError(error, results.find((result) => result.status === 'Error')?.migrationName);
  return results.filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

function asMigrations(): Record<string, Migration> {
  const entries = Object.entries(MIGRATIONS).map(([name, text]): [string, Migration] => [
    name,
    { up: async (db) => void (await sql.raw(text).execute(db)) },
  ]);
  return Object.fromEntries(entries);
}

function migrationError(error: unknown, name: string | undefined): FermataError {
  if (isFermataError(error)) return error;
  const what = name === undefined ? 'the migrations' : `migration ${name}`;
  const message = `${what} could not be applied: ${reasonOf(error)}`;
  return new FermataError('store.invalid', message, { migration: name ?? null }, { cause: error });
}
