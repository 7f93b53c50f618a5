/**
 * Values of runs that are too large for a history, by the SHA-256 of their JSON text.
 *
 * What it is: the interface of such a store, and the one in PostgreSQL that is used where nobody names another.
 *
 * Invariants:
 * 1. A value belongs to one run of one tenant: whoever reads it names both, and a hash alone reads nothing. The tenant is
 *    always that of the run that reads.
 * 2. A value never changes; putting it again is harmless.
 * 3. A value stays as long as its run has a row. What no run has is swept after a day: the row of a run that was started
 *    past the client comes a moment later.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface ValueKey {
  readonly tenant: string;
  readonly runId: string;
  /** SHA-256 of the text, in hex. */
  readonly hash: string;
}

/** Where values are kept. A store of one's own has to keep a value as long as anybody may look at its run. */
export interface ValueStore {
  /** Keeps the JSON text of a value. Twice, and at once from several workers, is harmless. */
  put(key: ValueKey, text: string): Promise<void>;
  /** The same text; `null`: this run of this tenant has no such value. */
  get(key: ValueKey): Promise<string | null>;
}

export class PostgresValues implements ValueStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async put({ tenant, runId, hash }: ValueKey, text: string): Promise<void> {
    await this.#db
      .insertInto('fermata.kept_values')
      .values({ tenant, run_id: runId, hash, body: text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async get({ tenant, runId, hash }: ValueKey): Promise<string | null> {
    const row = await this.#db
      .selectFrom('fermata.kept_values')
      .select('body')
      .where('tenant', '=', tenant)
      .where('run_id', '=', runId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return row?.body ?? null;
  }
}

export interface ValueSweep {
  /** How long a value stays without a run, in milliseconds. Default a day. */
  readonly olderThanMs?: number;
  /** Values of one sweep. Default 1,000. */
  readonly limit?: number;
}

/** Deletes values whose runs have no row, of all tenants. Gives how many. */
export async function sweepValues(
  db: Database,
  { olderThanMs = 24 * 3600 * 1000, limit = 1000 }: ValueSweep = {},
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from fermata.kept_values where ctid = any(array(
      select kept.ctid from fermata.kept_values as kept
      where kept.created_at < clock_timestamp() - ${olderThanMs} * interval '1 ms'
        and not exists (select from fermata.runs as run where run.tenant = kept.tenant and run.run_id = kept.run_id)
      limit ${limit}))`.execute(db);
  return Number(numAffectedRows);
}
