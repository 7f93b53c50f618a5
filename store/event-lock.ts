/**
 * The lock between events and waits of one type, so that an event can be neither missed nor taken twice.
 *
 * Invariants:
 * 1. Whoever stores an event takes it shared around insert and look-up of waits; whoever registers a wait takes it
 *    exclusive around registration and look-up of events. Who reads does so in a later statement than the lock's own,
 *    since a statement sees the rows of when it began.
 * 2. It ends with the transaction.
 */
import { type RawBuilder, sql } from 'kysely';

/** The call that takes the lock, for the `select` of a statement. */
export function eventTypeLock(
  subject: { readonly tenant: string; readonly type: string },
  side: 'event' | 'wait',
): RawBuilder<unknown> {
  const name = JSON.stringify(['fermata.event', subject.tenant, subject.type]);
  const take = side === 'event' ? sql.raw('pg_advisory_xact_lock_shared') : sql.raw('pg_advisory_xact_lock');
  return sql`${take}(hashtextextended(${name}, 0))`;
}
