/**
 * Where everything is: from options, then the environment, then defaults.
 *
 * | what | option | environment | default |
 * | --- | --- | --- | --- |
 * | Temporal | `temporal` | `TEMPORAL_*`, `temporal.toml` | `127.0.0.1:7233`, namespace `default` |
 * | PostgreSQL | `databaseUrl` | `DATABASE_URL` | none |
 * | tenant | `tenant` | `FERMATA_TENANT` | `default` |
 * | task queue | `taskQueue` | `FERMATA_TASK_QUEUE` | `fermata` |
 * | values too large for a history | `values` | none | in PostgreSQL, above 64 KiB |
 * | time to connect | `connectTimeoutMs` | `FERMATA_CONNECT_TIMEOUT` | 8 s for Temporal, 30 s for PostgreSQL |
 */
import type { Client, ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { FermataError } from '../definitions/fermata-error.ts';
import { parseDuration } from '../definitions/duration.ts';
import { LIMITS } from '../definitions/limits.ts';
import { DEFAULT_TENANT, TASK_QUEUE } from '../definitions/wire.ts';
import { type ValueOptions, type ValueSettings, valueSettings } from './value-settings.ts';

export interface ConnectOptions {
  /** An address and credentials, or a client of one's own, which `close()` leaves open. */
  readonly temporal?: TemporalAddress | { readonly client: Client };
  /** `postgres://user:password@host:5432/database` */
  readonly databaseUrl?: string;
  readonly tenant?: string;
  /** Where runs are started and workers look for them. */
  readonly taskQueue?: string;
  /** Connections to PostgreSQL at most. Default 10. */
  readonly maxDatabaseConnections?: number;
  /**
   * Milliseconds for which each server is tried before it counts as unreachable. Default: `FERMATA_CONNECT_TIMEOUT`, then
   * 8 s for Temporal and 30 s for PostgreSQL, which says at once that nobody listens and is slow only where the machine is.
   */
  readonly connectTimeoutMs?: number;
  /** Where values that are too large for a history are kept. `false`: outputs beyond 256 KiB are refused. */
  readonly values?: ValueOptions | false;
  /** Instead of `process.env`. */
  readonly env?: Environment;
}

export interface TemporalAddress {
  /** `host:port` */
  readonly address?: string;
  readonly namespace?: string;
  readonly apiKey?: string;
  readonly tls?: ConnectionOptions['tls'];
}

export type Environment = { readonly [name: string]: string | undefined };

/** Ways to connect that a client's and a worker's connection both understand. */
export type TemporalCredentials = Pick<ConnectionOptions, 'tls' | 'metadata'> & { readonly apiKey?: string };

export interface Settings {
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly connection: TemporalCredentials;
  };
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly taskQueue: string;
  /** `null`: none are kept. */
  readonly values: ValueSettings | null;
  readonly connectTimeoutMs?: number;
  readonly maxDatabaseConnections?: number;
}

const DEFAULT_ADDRESS = '127.0.0.1:7233';
/** Of Node's timers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const TENANT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
const TASK_QUEUE_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]*$/;

/** @throws FermataError `config.invalid`, naming the option and the variable */
export function resolveSettings(options: ConnectOptions = {}): Settings {
  const env = options.env ?? process.env;
  return {
    temporal: temporalSettings(options, env),
    databaseUrl: databaseUrl(options, env),
    tenant: name(options.tenant ?? (env['FERMATA_TENANT'] || DEFAULT_TENANT), {
      pattern: TENANT,
      what: 'tenant',
      variable: 'FERMATA_TENANT',
      form: 'letters, digits, - and _, at most 63 of them',
    }),
    taskQueue: name(options.taskQueue ?? (env['FERMATA_TASK_QUEUE'] || TASK_QUEUE), {
      pattern: TASK_QUEUE_NAME,
      what: 'task queue',
      variable: 'FERMATA_TASK_QUEUE',
      form: `letters, digits and . _ : / -, at most ${LIMITS.idBytes} of them`,
    }),
    values: valueSettings(options.values),
    ...pick('connectTimeoutMs', connectTimeout(options, env)),
    ...pick('maxDatabaseConnections', maxDatabaseConnections(options)),
  };
}

/** @throws FermataError `config.invalid` */
function connectTimeout({ connectTimeoutMs: given }: ConnectOptions, env: Environment): number | undefined {
  const variable = 'FERMATA_CONNECT_TIMEOUT';
  const text = env[variable];
  if (given === undefined && !text) return undefined;
  const timeoutMs = given ?? durationMs(text ?? '');
  if (timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS) return timeoutMs;
  const message = `the time to connect is ${given ?? JSON.stringify(text)}; option connectTimeoutMs takes milliseconds from 1, ${variable} a duration such as 30s`;
  throw new FermataError('config.invalid', message, { option: 'connectTimeoutMs', variable });
}

/** `NaN` for what is no duration. */
function durationMs(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    return Number.NaN;
  }
}

function maxDatabaseConnections({ maxDatabaseConnections: given }: ConnectOptions): number | undefined {
  if (given === undefined || (Number.isInteger(given) && given >= 1)) return given;
  const message = `option maxDatabaseConnections is ${given}; it must be a whole number from 1`;
  throw new FermataError('config.invalid', message, { option: 'maxDatabaseConnections' });
}

function temporalSettings({ temporal = {} }: ConnectOptions, env: Environment): Settings['temporal'] {
  const configured = readTemporalConfiguration(env);
  const { address, tls, apiKey, metadata } = configured.connectionOptions;
  if ('client' in temporal) {
    const { namespace } = temporal.client.options;
    return { address: address ?? DEFAULT_ADDRESS, namespace, connection: {} };
  }
  const credentials: TemporalCredentials = {
    ...pick('tls', temporal.tls ?? tls),
    ...pick('apiKey', temporal.apiKey ?? (typeof apiKey === 'string' ? apiKey : undefined)),
    ...pick('metadata', metadata),
  };
  return {
    address: hostAndPort(temporal.address ?? address ?? DEFAULT_ADDRESS),
    namespace: temporal.namespace ?? configured.namespace ?? 'default',
    connection: credentials,
  };
}

function pick<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V });
}

function readTemporalConfiguration(env: Environment): ReturnType<typeof loadClientConnectConfig> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  try {
    return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(set) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the settings of Temporal (TEMPORAL_*, temporal.toml) cannot be read: ${reason}`;
    throw new FermataError('config.invalid', message, { option: 'temporal' }, { cause: error });
  }
}

function hostAndPort(address: string): string {
  if (/^[^\s/]+$/.test(address)) return address;
  const message = `TEMPORAL_ADDRESS (option temporal.address) is "${address}", which is not of the form host:port`;
  throw new FermataError('config.invalid', message, { option: 'temporal.address', variable: 'TEMPORAL_ADDRESS' });
}

function databaseUrl(options: ConnectOptions, env: Environment): string {
  const url = options.databaseUrl ?? env['DATABASE_URL'];
  if (url) return url;
  const message =
    'DATABASE_URL (option databaseUrl) is not set; give postgres://user:password@host:5432/database, or let `fermata dev` start a PostgreSQL';
  throw new FermataError('config.invalid', message, { option: 'databaseUrl', variable: 'DATABASE_URL' });
}

interface NameRule {
  readonly pattern: RegExp;
  readonly what: string;
  readonly variable: string;
  readonly form: string;
}

function name(value: string, { pattern, what, variable, form }: NameRule): string {
  if (pattern.test(value) && value.length <= LIMITS.idBytes) return value;
  const message = `${JSON.stringify(value.slice(0, 80))} is no name of a ${what}; ${variable} takes ${form}`;
  throw new FermataError('config.invalid', message, { variable });
}
