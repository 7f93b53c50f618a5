/**
 * Repeats what lost against another transaction: PostgreSQL ends one of two that wait for each other.
 */

/** SQLSTATEs of a transaction that lost against another one and may simply be repeated. */
const LOST_RACE = new Set(['40001', '40P01']);
const TRIES = 5;

/** `write` is one transaction: what failed has changed nothing. */
export async function repeatLostRace<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === TRIES || !LOST_RACE.has(String((error as { code?: unknown }).code))) throw error;
    }
  }
}
