/**
 * A fresh, migrated database for a test file, cloned from a template in some 50 ms.
 *
 * 1. Test files never share rows.
 * 2. A pool or listener that a test leaves open fails `drop()`.
 * 3. The template is made once per server and set of migrations, by whichever test process comes first.
 */
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { MIGRATIONS } from '../../store/migrations/index.ts';
import { openStore } from '../../store/index.ts';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database. @throws when connections to it are still open after 2 s */
  drop(): Promise<void>;
}

const TEMPLATE = `fermata_template_${createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex').slice(0, 16)}`;
/** Serialises the making of the template. */
const LOCK_KEY = 7_221_965_024;
const DRAIN_MS = 2_000;

/** With `migrated: false` the database is empty. */
export async function createTestDatabase(options: { readonly migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `fermata_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await asAdmin(async (admin) => {
    const template = (options.migrated ?? true) ? await ensureTemplate(admin) : 'template1';
    await admin.query(`create database ${name} template ${template}`);
  });
  return { url: urlOf(name), drop: () => asAdmin((admin) => dropDatabase(admin, name)) };
}

async function ensureTemplate(admin: pg.Client): Promise<string> {
  await admin.query('select pg_advisory_lock($1)', [LOCK_KEY]);
  try {
    const found = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (found.rowCount === 0) await makeTemplate(admin);
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
  }
  return TEMPLATE;
}

/** Under another name until it is whole, so that a killed test process leaves no half template. */
async function makeTemplate(admin: pg.Client): Promise<void> {
  const draft = `${TEMPLATE}_draft`;
  await admin.query(`drop database if exists ${draft} with (force)`);
  await admin.query(`create database ${draft}`);
  const store = openStore({ databaseUrl: urlOf(draft) });
  await store.migrate();
  await store.close();
  await drained(admin, draft);
  await admin.query(`alter database ${draft} rename to ${TEMPLATE}`);
}

async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  const left = await drained(admin, name);
  await admin.query(`drop database ${name} with (force)`);
  if (left.length > 0) throw new Error(`connections to the test database were left open: ${left.join(', ')}`);
}

/** Waits until nobody is connected; gives the names of those who stay. */
async function drained(admin: pg.Client, name: string): Promise<string[]> {
  const giveUpAt = performance.now() + DRAIN_MS;
  for (;;) {
    const { rows } = await admin.query<{ application_name: string }>(
      "select application_name from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [name],
    );
    if (rows.length === 0 || performance.now() > giveUpAt) return rows.map((row) => row.application_name);
    await admin.query('select pg_sleep(0.01)');
  }
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: serverUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** `FERMATA_TEST_DATABASE_URL` names a server of one's own; else the one that `test/setup/servers.ts` started. */
function serverUrl(): string {
  const url = process.env['FERMATA_TEST_DATABASE_URL'] ?? (inject('postgresUrl') as string | undefined);
  if (url === undefined) throw new Error('a test that needs PostgreSQL is named *.server.test.ts');
  return url;
}
