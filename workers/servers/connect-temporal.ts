/**
 * Asks whether a Temporal server answers, and opens the short connection that preparing one needs.
 */
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { reasonOf } from '../../definitions/reason-of.ts';
import { waitUntil } from './wait-until.ts';

/** Opens a connection that has been answered once. @throws what the SDK gives when nothing answers in `timeoutMs` */
export function openTemporal(options: ConnectionOptions, timeoutMs = 5000): Promise<Connection> {
  return Connection.connect({ ...options, connectTimeout: timeoutMs });
}

/** Null when a Temporal server answers, otherwise why not. */
export async function temporalRefusal(options: ConnectionOptions, timeoutMs = 5000): Promise<string | null> {
  try {
    const connection = await openTemporal(options, timeoutMs);
    await connection.close();
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Waits until the namespace answers, which a starting server needs a moment for. Gives null when time is up. */
export async function waitForNamespace(
  connection: Connection,
  namespace: string,
  timeoutMs: number,
): Promise<true | null> {
  const probe = () =>
    connection.workflowService.describeNamespace({ namespace }).then(
      () => true as const,
      () => null,
    );
  return waitUntil(probe, { timeoutMs });
}
