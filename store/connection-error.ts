/**
 * What a failure of PostgreSQL means to a caller: unreachable, not migrated, or a fault that is nobody's to retry.
 *
 * Invariants:
 * 1. No text made here holds a password: an address is host, port and database only.
 * 2. What is not recognised passes through unchanged; it is a bug or a rule of a table, never "unavailable".
 */
import { FermataError, isFermataError } from '../definitions/fermata-error.ts';

/** Where a store is, fit for messages. */
export interface StoreAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** How connections to it are made, so that a failure can say what was tried. */
export interface ConnectionTries extends StoreAddress {
  /** Milliseconds that one may take. */
  readonly connectTimeoutMs: number;
  /** Connections at most. */
  readonly max: number;
}

/** Codes of Node's sockets and resolver. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** SQLSTATEs: connection (08), authorisation (28), no such database, no room, shutting down, read-only. */
const UNAVAILABLE_STATE = /^(08...|28...|3D000|53...|57P0[1-5]|25006|58...)$/;

/** SQLSTATEs of a table, column, schema, type or function that is not there. */
const NOT_MIGRATED_STATE = /^(42P01|42703|42704|42883|3F000)$/;

/** Messages of `pg` itself, which have no code. */
const LOST_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|server closed the connection|The server does not support SSL|SASL)/i;

/** @throws config.invalid when `databaseUrl` is no PostgreSQL address; the message does not repeat it. */
export function parseAddress(databaseUrl: string): StoreAddress {
  let url: URL;
  try {
    url = new URL(databaseUrl);
  } catch {
    throw invalidUrl();
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') throw invalidUrl();
  return {
    host: url.searchParams.get('host') ?? (url.hostname || 'localhost'),
    port: Number(url.port || 5432),
    database: safeDecode(url.pathname.slice(1)) || 'postgres',
  };
}

/** No connection was free in time, as `pg` says it. */
const ALL_BUSY = 'timeout exceeded when trying to connect';
/** The server was slow to take a connection. */
const SLOW_CONNECT = /^(timeout expired|Connection terminated due to connection timeout)/;

/** The error to throw for what `pg` threw. */
export function toStoreError(error: unknown, tries: ConnectionTries): unknown {
  const { connectTimeoutMs: _timeout, max: _max, ...address } = tries;
  if (isFermataError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (SOCKET_CODES.has(code) || UNAVAILABLE_STATE.test(code) || (code === '' && LOST_MESSAGE.test(error.message))) {
    return unavailable(error, { reason: reasonOf(error, code, tries), address });
  }
  if (NOT_MIGRATED_STATE.test(code)) {
    const message = `the database ${address.database} lacks tables of this release (${error.message}); run the migrations: every worker and \`fermata dev\` do so at start`;
    return new FermataError('store.invalid', message, { ...address }, { cause: error });
  }
  return error;
}

function reasonOf({ message }: Error, code: string, { connectTimeoutMs, max }: ConnectionTries): string {
  const span = `${connectTimeoutMs / 1000} s`;
  if (message === ALL_BUSY) {
    return `no connection was free within ${span}: all ${max} of this process are in use, or the server takes no new ones (options maxDatabaseConnections, connectTimeoutMs)`;
  }
  if (SLOW_CONNECT.test(message)) {
    return `it took no connection within ${span} (option connectTimeoutMs, FERMATA_CONNECT_TIMEOUT)`;
  }
  return message || code;
}

function unavailable(
  cause: Error,
  { reason, address }: { readonly reason: string; readonly address: StoreAddress },
): FermataError {
  const where = `PostgreSQL at ${address.host}:${address.port}, database ${address.database}`;
  const message = `${where}, cannot be used: ${reason}. Check that it runs and that DATABASE_URL is right; \`fermata dev\` starts one`;
  return new FermataError('store.unavailable', message, { ...address, reason }, { cause });
}

function invalidUrl(): FermataError {
  const message = 'DATABASE_URL is not of the form postgres://user:password@host:5432/database';
  return new FermataError('config.invalid', message, { option: 'databaseUrl' });
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
