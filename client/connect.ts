/**
 * Connecting: the client of Temporal and the store, both answered once, or an error that says which and what to do.
 *
 * Invariants:
 * 1. Both are asked at once, and whoever fails leaves nothing of the other open.
 * 2. An unreachable server is told within `connectTimeoutMs`.
 * 3. A client that was handed in stays its owner's.
 * 4. Without `requireTemporal` only a Temporal that cannot be reached is forgiven: a namespace that is not there would
 *    make runs look as if they did not exist.
 */
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { FermataError } from '../definitions/fermata-error.ts';
import { openStore, type Store } from '../store/index.ts';
import { Fermata } from './fermata.ts';
import { type ConnectOptions, resolveSettings, type Settings } from './settings.ts';
import { grpcCode, isTemporalUnavailable, temporalUnavailable, toTemporalError } from './temporal-error.ts';

/** Of Temporal, which is not told at once that nobody listens. */
const TEMPORAL_TIMEOUT_MS = 8_000;
/** Attempts of one call, where Temporal may be down: enough for a hiccup, and told within a second. */
const ATTEMPTS_WHEN_OPTIONAL = 4;

/** Histories of runs are up to 50 MiB, and a page of one is a message. */
const MESSAGE_BYTES = 128 * 1024 * 1024;
const GRPC_NOT_FOUND = 5;

export interface ConnectChoices extends ConnectOptions {
  /** Brings the database to the tables of this release first. Default `false`. */
  readonly migrate?: boolean;
  /**
   * `false`: connects while Temporal cannot be reached, too. Events and decisions are then stored, and delivered by
   * workers when it is back; what else needs Temporal throws `temporal.unavailable`. Default `true`.
   */
  readonly requireTemporal?: boolean;
}

/**
 * @example
 * const fermata = await connect();
 * await fermata.events.publish({ type: 'lead.created', source: '/crm', data: { id: 'L-1' } });
 * await fermata.close();
 *
 * @throws FermataError `config.invalid`, `temporal.unavailable`, `temporal.rejected`, `store.unavailable`,
 * `store.invalid`
 */
export async function connect(options: ConnectChoices = {}): Promise<Fermata> {
  const settings = resolveSettings(options);
  const { databaseUrl, tenant, connectTimeoutMs, maxDatabaseConnections: max } = settings;
  const store = openStore({
    databaseUrl,
    tenant,
    ...(max === undefined ? {} : { max }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  });
  const [temporal, database] = await Promise.allSettled([
    openTemporal(settings, options),
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

async function openTemporal(settings: Settings, options: ConnectChoices): Promise<OpenTemporal> {
  const { temporal: given, requireTemporal = true } = options;
  const { connectTimeoutMs: timeoutMs = TEMPORAL_TIMEOUT_MS } = settings;
  if (given !== undefined && 'client' in given) return { client: given.client, close: () => Promise.resolve() };
  const { address, namespace, connection: credentials } = settings.temporal;
  const attempts = { maxAttempts: ATTEMPTS_WHEN_OPTIONAL };
  const connection = Connection.lazy({
    ...credentials,
    address,
    connectTimeout: timeoutMs,
    channelArgs: {
      'grpc.max_receive_message_length': MESSAGE_BYTES,
      'grpc.max_send_message_length': MESSAGE_BYTES,
    },
    ...(requireTemporal ? {} : { interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions(attempts))] }),
  });
  try {
    if (requireTemporal) await reach(connection, address, timeoutMs);
    await checkNamespace(connection, settings.temporal, timeoutMs).catch((error: unknown) => {
      if (requireTemporal || !isTemporalUnavailable(error)) throw error;
    });
    return { client: new Client({ connection, namespace }), close: () => connection.close() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function reach(connection: Connection, address: string, timeoutMs: number): Promise<void> {
  try {
    await connection.ensureConnected();
  } catch (error) {
    throw temporalUnavailable(address, error, `within ${timeoutMs / 1000} s`);
  }
}

/** A key that may not describe its namespace may still use it. */
async function checkNamespace(
  connection: Connection,
  { address, namespace }: Settings['temporal'],
  timeoutMs: number,
): Promise<void> {
  try {
    const describe = () => connection.workflowService.describeNamespace({ namespace });
    await connection.withDeadline(Date.now() + timeoutMs, describe);
  } catch (error) {
    if (grpcCode(error) === GRPC_NOT_FOUND) {
      const message = `Temporal at ${address} has no namespace "${namespace}"; create it, or set TEMPORAL_NAMESPACE`;
      throw new FermataError('temporal.rejected', message, { address, namespace }, { cause: error });
    }
    const failure = toTemporalError(error, address);
    if (isTemporalUnavailable(failure)) throw failure;
  }
}

async function prepareStore(store: Store, migrate: boolean): Promise<void> {
  if (migrate) await store.migrate();
  else await store.check();
}
