/**
 * The database of an example: the one of DATABASE_URL, connected at the first query, which also makes the tables.
 *
 * What it is not: part of Fermata. The handlers of an application use whatever they use today.
 */
import pg from 'pg';

export interface ExampleDatabase {
  /** Gives the rows. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly (string | number)[]): Promise<Row[]>;
  /** Ends the connections; a later query opens new ones. */
  close(): Promise<void>;
}

/** `tables`: statements that change nothing where the tables are there already. */
export function exampleDatabase(name: string, tables: string): ExampleDatabase {
  let pool: Promise<pg.Pool> | undefined;
  return {
    async query<Row extends pg.QueryResultRow>(sql: string, values: readonly (string | number)[] = []) {
      pool ??= openPool(name, tables);
      // A database that is away at the first query may be back at the next attempt.
      const opened = await pool.catch((error: unknown) => {
        pool = undefined;
        throw error;
      });
      return (await opened.query<Row>(sql, [...values])).rows;
    },
    async close() {
      const opened = pool;
      pool = undefined;
      await (await opened)?.end();
    },
  };
}

async function openPool(name: string, tables: string): Promise<pg.Pool> {
  const connectionString = process.env['DATABASE_URL'];
  if (connectionString === undefined) throw new Error(`Set DATABASE_URL to the PostgreSQL database of ${name}`);
  const pool = new pg.Pool({ connectionString, max: 5, application_name: name });
  // An idle connection that the server closes must not end the process; the next query opens another.
  pool.on('error', () => {});
  try {
    // One transaction; the lock keeps workers that start together from making the tables twice.
    await pool.query(`select pg_advisory_xact_lock(hashtext('${name}')); ${tables}`);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}
