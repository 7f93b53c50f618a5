/**
 * The connection to PostgreSQL: one pool of `pg`, spoken to through Kysely.
 *
 * Invariants:
 * 1. Every statement of the store passes here, so that every failure of the connection becomes `store.unavailable`.
 * 2. A connection that breaks while idle is dropped by the pool and never ends the process.
 */
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { type ConnectionTries, parseAddress, toStoreError } from './connection-error.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

export interface DatabaseOptions {
  readonly databaseUrl: string;
  /** Connections at most. Default 10. */
  readonly max?: number;
  /** Milliseconds to get a connection before a call fails. Default {@link CONNECT_TIMEOUT_MS}. */
  readonly connectTimeoutMs?: number;
}

/** A server that is not there is told at once; a starved machine may take this long to answer one that is. */
export const CONNECT_TIMEOUT_MS = 30_000;

/** Opens a pool; nothing is connected before the first statement. `destroy()` closes it. */
export function connectDatabase(options: DatabaseOptions): Database {
  const { databaseUrl, max = 10, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const tries: ConnectionTries = { ...parseAddress(databaseUrl), max, connectTimeoutMs };
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'fermata',
  });
  pool.on('error', () => undefined);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardPool(pool, tries) }) });
}

function guardPool(pool: pg.Pool, tries: ConnectionTries): PostgresPool {
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw toStoreError(error, tries);
      });
      let known = guarded.get(client);
      if (known === undefined) {
        known = guardClient(client, tries);
        guarded.set(client, known);
      }
      return known;
    },
    end: () => pool.end(),
  };
}

function guardClient(client: pg.PoolClient, tries: ConnectionTries): PostgresPoolClient {
  // A connection lost while it is checked out reports here too; the statement under way rejects by itself.
  client.on('error', () => undefined);
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('the store reads without cursors');
    return client.query(text, [...parameters]).catch((error: unknown) => {
      throw toStoreError(error, tries);
    });
  }
  return { query, release: (destroy) => client.release(destroy) };
}
