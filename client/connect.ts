/**
 * Connecting: the client of Temporal and the store, both answered once, or an error that says which and what to do.
 *
 * Invariants:
 * 1. Both are asked at once, and whoever fails leaves nothing of the other open.
 * 2. An unreachable server is told within {@link CONNECT_TIMEOUT_MS}.
 * 3. A client that was handed in stays its owner's.
 */
import { Client, Connection } from '@temporalio/client';
import { FermataError } from '../definitions/fermata-error.ts';
import { openStore, type Store } from '../store/index.ts';
import { Fermata } from './fermata.ts';
import { type ConnectOptions, resolveSettings, type Settings } from './settings.ts';
import { grpcCode, temporalUnavailable, toTemporalError } from './temporal-error.ts';

const CONNECT_TIMEOUT_MS = 8_000;

/** Histories of runs are up to 50 MiB, and a page of one is a message. */
const MESSAGE_BYTES = 128 * 1024 * 1024;
const GRPC_NOT_FOUND = 5;

/**
 * @example
 * const fermata = await connect();
 * await fermata.events.publish({ type: 'lead.created', source: '/crm', data: { id: 'L-1' } });
 * await fermata.close();
 *
 * @throws FermataError `config.invalid`, `temporal.unavailable`, `temporal.rejected`, `store.unavailable`,
 * `store.invalid`
 */
export async function connect(options: ConnectOptions & { readonly migrate?: boolean } = {}): Promise<Fermata> {
  const settings = resolveSettings(options);
  const { databaseUrl, tenant } = settings;
  const max = options.maxDatabaseConnections;
  const store = openStore({ databaseUrl, tenant, ...(max === undefined ? {} : { max }) });
  const [temporal, database] = await Promise.allSettled([
    openTemporal(settings, options.temporal),
    prepareStore(store, options.migrate === true),
  ]);
  if (temporal.status === 'fulfilled' && database.status === 'fulfilled') {
    return new Fermata({ settings, store, temporal: temporal.value.client, closeTemporal: temporal.value.close });
  }
  if (temporal.status === 'fulfilled') await temporal.value.close();
  await store.close();
  throw temporal.status === 'rejected' ? temporal.reason : (database as PromiseRejectedResult).reason;
}

interface OpenTemporal {
  readonly client: Client;
  close(): Promise<void>;
}

async function openTemporal(settings: Settings, given: ConnectOptions['temporal']): Promise<OpenTemporal> {
  if (given !== undefined && 'client' in given) return { client: given.client, close: () => Promise.resolve() };
  const { address, namespace, connection: credentials } = settings.temporal;
  const connection = await Connection.connect({
    ...credentials,
    address,
    connectTimeout: CONNECT_TIMEOUT_MS,
    channelArgs: {
      'grpc.max_receive_message_length': MESSAGE_BYTES,
      'grpc.max_send_message_length': MESSAGE_BYTES,
    },
  }).catch((error: unknown) => {
    throw temporalUnavailable(address, error);
  });
  try {
    await checkNamespace(connection, settings.temporal);
    return { client: new Client({ connection, namespace }), close: () => connection.close() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A key that may not describe its namespace may still use it. */
async function checkNamespace(connection: Connection, { address, namespace }: Settings['temporal']): Promise<void> {
  try {
    const describe = () => connection.workflowService.describeNamespace({ namespace });
    await connection.withDeadline(Date.now() + CONNECT_TIMEOUT_MS, describe);
  } catch (error) {
    if (grpcCode(error) === GRPC_NOT_FOUND) {
      const message = `Temporal at ${address} has no namespace "${namespace}"; create it, or set TEMPORAL_NAMESPACE`;
      throw new FermataError('temporal.rejected', message, { address, namespace }, { cause: error });
    }
    const failure = toTemporalError(error, address);
    if (failure instanceof FermataError && failure.code === 'temporal.unavailable') throw failure;
  }
}

async function prepareStore(store: Store, migrate: boolean): Promise<void> {
  if (migrate) await store.migrate();
  else await store.check();
}
