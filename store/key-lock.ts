/**
 * A key as PostgreSQL sees it, and the lock under which everything about it is decided.
 *
 * Invariants:
 * 1. Whoever takes a key, waits for it, gives it back or says when it is looked at holds its lock, so arrivals at the same
 *    instant have an order. What is decided is read in a later statement than the lock's own.
 * 2. The lock ends with the transaction. Whoever needs several takes them in the order of their definitions' ids.
 */
import { sql } from 'kysely';
import type { KeyClaim } from '../definitions/key-claim.ts';
import { utf8Length } from '../definitions/json/size.ts';
import type { Database, DatabaseTransaction } from './database.ts';
import { sha256 } from './definition-hash.ts';
import { repeatLostRace } from './repeat-lost-race.ts';
import type { RunKey } from './run-document.ts';

/** One key of one definition. */
export interface KeyPlace {
  readonly tenant: string;
  readonly definitionId: string;
  /** As {@link keyText} gives it. */
  readonly key: string;
}

const LONGEST_BYTES = 255;

/** The key in columns and on pages: its canonical JSON, or a hash where that is long or may be seen by nobody. */
export function keyText({ text, hidden }: KeyClaim): string {
  return hidden || utf8Length(text) > LONGEST_BYTES ? `sha256:${sha256(text)}` : text;
}

export async function lockKey(trx: DatabaseTransaction, { tenant, definitionId, key }: KeyPlace): Promise<void> {
  const name = JSON.stringify(['fermata.key', tenant, definitionId, key]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Works on the key that a run has or waits for; `null` where it does neither. */
export async function underKeyOf<T>(
  db: Database,
  run: RunKey,
  work: (trx: DatabaseTransaction, place: KeyPlace) => Promise<T>,
): Promise<T | null> {
  return await repeatLostRace(() =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('fermata.run_keys')
        .select(['definition_id', 'key'])
        .where('tenant', '=', run.tenant)
        .where('run_id', '=', run.runId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const place = { tenant: run.tenant, definitionId: row.definition_id, key: row.key };
      await lockKey(trx, place);
      return await work(trx, place);
    }),
  );
}
