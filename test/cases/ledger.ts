/**
 * The ledger: what handlers did in the outside world, one row per idempotency key, in PostgreSQL.
 *
 * Beside the product's own tables, so that worker processes which are killed leave behind what they had done. A row is
 * the effect; `attempts` counts how often somebody wanted it.
 */
import pg from 'pg';

export interface LedgerRow {
  readonly key: string;
  readonly name: string;
  readonly attempts: number;
}

export interface Ledger {
  /** Writes the effect, once per key. Gives which attempt of it this was. */
  write(key: string, name: string): Promise<number>;
  /** The rows of one run, in the order of their first attempt. */
  of(runId: string): Promise<readonly LedgerRow[]>;
  close(): Promise<void>;
}

export async function openLedger(databaseUrl: string): Promise<Ledger> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, application_name: 'ledger of the cases' });
  await pool.query(
    'create table if not exists ledger (at bigint generated always as identity, key text primary key, name text, attempts integer)',
  );
  return {
    async write(key, name) {
      const { rows } = await pool.query<{ attempts: number }>(
        `insert into ledger (key, name, attempts) values ($1, $2, 1)
         on conflict (key) do update set attempts = ledger.attempts + 1 returning attempts`,
        [key, name],
      );
      return rows[0]?.attempts ?? 0;
    },
    async of(runId) {
      const { rows } = await pool.query<LedgerRow>(
        'select key, name, attempts from ledger where starts_with(key, $1) order by at',
        [`${runId}/`],
      );
      return rows;
    },
    close: () => pool.end(),
  };
}
