/**
 * Runs that end before they begin: they waited for a key, and were cancelled or replaced.
 */
import { sql } from 'kysely';
import type { ErrorInfo } from '../definitions/errors.ts';
import type { DatabaseTransaction } from './database.ts';

/** Takes runs out of the line of their key and makes them `cancelled`; under the lock of the key. */
export async function withdrawRuns(
  trx: DatabaseTransaction,
  { tenant, runIds }: { readonly tenant: string; readonly runIds: readonly string[] },
  reason: string,
): Promise<void> {
  if (runIds.length === 0) return;
  const error: ErrorInfo = { type: 'CANCELLED', message: `Cancelled: ${reason}`, nodeId: null };
  await sql`
    with withdrawn as (
      delete from fermata.run_keys where tenant = ${tenant} and run_id = any(${runIds}) and not holds
      returning tenant, run_id
    )
    update fermata.runs as run set state = 'cancelled', state_at = clock_timestamp(), completed_at = clock_timestamp(),
      error = ${JSON.stringify(error)}::json, expected_visits = 0, expected_commands = 0,
      whole_at = clock_timestamp(), recorded_at = clock_timestamp()
    from withdrawn where run.tenant = withdrawn.tenant and run.run_id = withdrawn.run_id`.execute(trx);
}
