/**
 * Finds a Temporal server that runs already: the one the environment names, or one at Temporal's usual address.
 *
 * 1. `TEMPORAL_ADDRESS` (or an address in `temporal.toml`) is used or refused, never passed over for an empty server.
 * 2. Nothing is started or changed here.
 */
import type { ConnectionOptions } from '@temporalio/client';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { FermataError } from '../../definitions/fermata-error.ts';
import { reasonOf } from '../../definitions/reason-of.ts';
import { temporalRefusal } from './connect-temporal.ts';
import type { Environment } from './environment.ts';
import { LOOPBACK } from './free-port.ts';
import type { Log } from './log.ts';
import { tcpRefusal } from './tcp-probe.ts';

export interface FoundTemporal {
  readonly address: string;
  readonly namespace: string;
  /** Where its Web UI seems to be; null when unknown. */
  readonly uiUrl: string | null;
  /** How to connect, with TLS and credentials of the environment. */
  readonly connectionOptions: ConnectionOptions;
}

/** The outside world as the finder sees it; tests hand in their own. Each gives null for yes, otherwise why not. */
export interface TemporalProbes {
  temporal(options: ConnectionOptions): Promise<string | null>;
  tcp(host: string, port: number): Promise<string | null>;
}

const REAL_PROBES: TemporalProbes = { temporal: temporalRefusal, tcp: tcpRefusal };

export const DEFAULT_TEMPORAL_PORT = 7233;
export const DEFAULT_UI_PORT = 8233;

/**
 * Null when no server was named and none runs at the usual address.
 * @throws FermataError `temporal.unavailable` when the server that was named does not answer; `config.invalid`
 */
export async function findTemporal(options: {
  env: Environment;
  log: Log;
  probes?: TemporalProbes;
}): Promise<FoundTemporal | null> {
  const { env, log, probes = REAL_PROBES } = options;
  const configured = readConfiguration(env);
  const namespace = temporalNamespace(configured);
  const { address } = configured.connectionOptions;
  if (address) {
    const connectionOptions = withoutUndefined(configured.connectionOptions);
    const refusal = await probes.temporal(connectionOptions);
    if (refusal !== null) throw unreachable(address, refusal);
    log(`Using the Temporal server at ${address}, namespace ${namespace}`);
    return { address, namespace, uiUrl: await webUiOf(address, namespace, probes), connectionOptions };
  }
  const usual = `${LOOPBACK}:${DEFAULT_TEMPORAL_PORT}`;
  // A closed port answers at once, while the SDK's own attempt takes a second to give up.
  if ((await probes.tcp(LOOPBACK, DEFAULT_TEMPORAL_PORT)) !== null) return null;
  if ((await probes.temporal({ address: usual })) !== null) return null;
  log(`Using the Temporal server that runs at ${usual}, namespace ${namespace}`);
  const uiUrl = await webUiOf(usual, namespace, probes);
  return { address: usual, namespace, uiUrl, connectionOptions: { address: usual } };
}

/** Namespace of the environment; default `default`. */
export function temporalNamespace(source: Environment | ClientConnectConfig): string {
  const configured = isConfiguration(source) ? source : readConfiguration(source);
  return configured.namespace || 'default';
}

function isConfiguration(source: Environment | ClientConnectConfig): source is ClientConnectConfig {
  return typeof source['connectionOptions'] === 'object';
}

function readConfiguration(env: Environment): ClientConnectConfig {
  try {
    return loadClientConnectConfig({ overrideEnvVars: withoutUndefined(env) });
  } catch (error) {
    throw new FermataError('config.invalid', `The TEMPORAL_* settings cannot be read: ${reasonOf(error)}`);
  }
}

function unreachable(address: string, refusal: string): FermataError {
  const message = `No Temporal server answers at ${address}, which TEMPORAL_ADDRESS (or temporal.toml) names: ${refusal}. Start that server or correct the address; without one, Fermata starts its own.`;
  return new FermataError('temporal.unavailable', message, { address });
}

async function webUiOf(address: string, namespace: string, probes: TemporalProbes): Promise<string | null> {
  if (/\.(tmprl\.cloud|api\.temporal\.io)(:\d+)?$/.test(address)) {
    return `https://cloud.temporal.io/namespaces/${namespace}`;
  }
  if (!/^(127\.0\.0\.1|localhost):/.test(address)) return null;
  return (await probes.tcp(LOOPBACK, DEFAULT_UI_PORT)) === null ? `http://${LOOPBACK}:${DEFAULT_UI_PORT}` : null;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The SDK tells "absent" by the key. */
function withoutUndefined<T extends object>(table: T): Defined<T> {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined)) as Defined<T>;
}
