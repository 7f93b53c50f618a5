/**
 * The lock between events and waits of one type, so that an event can be neither missed nor taken twice.
 *
 * Invariants:
 * 1. Whoever stores an event takes it shared around insert and look-up of waits; whoever registers a wait takes it
 *    exclusive around registration and look-up of events. Both then read in a statement of their own.
 * 2. It ends with the transaction.
 */
import { sql } from 'kysely';
import type { DatabaseTransaction } from './database.ts';

export async function lockEventType(
  trx: DatabaseTransaction,
  subject: { readonly tenant: string; readonly type: string },
  side: 'event' | 'wait',
): Promise<void> {
  const name = JSON.stringify(['fermata.event', subject.tenant, subject.type]);
  const lock = side === 'event' ? sql.raw('pg_advisory_xact_lock_shared') : sql.raw('pg_advisory_xact_lock');
  await sql`select ${lock}(hashtextextended(${name}, 0))`.execute(trx);
}
