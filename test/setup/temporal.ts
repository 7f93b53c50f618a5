/**
 * Temporal for tests on the real server (`test/setup/servers.ts`): where it is, connections, and names that no other
 * test uses.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';

/** `127.0.0.1:<port>` of the server that this run started. */
export function temporalAddress(): string {
  return inject('temporalAddress');
}

export function temporalNamespace(): string {
  return inject('temporalNamespace');
}

/** A name that no other test, file or run uses: for task queues, workflow ids, tenants. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}

/** A client of the server; close `client.connection` when done. */
export async function connectTemporal(): Promise<Client> {
  const connection = await Connection.connect({ address: temporalAddress() });
  return new Client({ connection, namespace: temporalNamespace() });
}
