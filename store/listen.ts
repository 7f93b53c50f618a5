/**
 * Hears what other processes announce with NOTIFY, over a connection of its own that comes back when it breaks.
 *
 * Invariant: announcements made while the connection was down are lost, so `onConnect` is called after every connection,
 * the first included: whoever keeps a copy reads it whole there, and from then on misses nothing.
 */
import pg from 'pg';
import { parseAddress, toStoreError } from './connection-error.ts';
import { CONNECT_TIMEOUT_MS, type DatabaseOptions } from './database.ts';

export interface ListenOptions {
  /** The channel hears from now on. Called after every (re)connection. */
  readonly onConnect?: () => void;
  /** The connection broke or could not be made; it is tried again by itself. */
  readonly onError?: (error: unknown) => void;
}

export interface Listener {
  /** Ends the connection; no callback comes after it. */
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Calls `onMessage` with the payload of every announcement on `channel`. */
export function listen(
  database: DatabaseOptions,
  channel: string,
  callbacks: ListenOptions & { readonly onMessage: (payload: string) => void },
): Listener {
  return new ChannelListener(database, channel, callbacks);
}

class ChannelListener implements Listener {
  readonly #database: Pick<DatabaseOptions, 'databaseUrl'> & { readonly connectTimeoutMs: number };
  readonly #channel: string;
  readonly #callbacks: ListenOptions & { readonly onMessage: (payload: string) => void };
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #closed = false;
  #connecting: Promise<void>;

  constructor(
    { databaseUrl, connectTimeoutMs = CONNECT_TIMEOUT_MS }: DatabaseOptions,
    channel: string,
    callbacks: ListenOptions & { readonly onMessage: (payload: string) => void },
  ) {
    this.#database = { databaseUrl, connectTimeoutMs };
    this.#channel = channel;
    this.#callbacks = callbacks;
    this.#connecting = this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#connecting;
    await this.#client?.end().catch(() => undefined);
    this.#client = null;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#database.databaseUrl,
      connectionTimeoutMillis: this.#database.connectTimeoutMs,
      keepAlive: true,
      application_name: 'fermata listen',
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the server closed the connection')));
    client.on('notification', (message) => {
      if (!this.#closed) this.#callbacks.onMessage(message.payload ?? '');
    });
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(this.#channel)}`);
      this.#pauseMs = FIRST_PAUSE_MS;
      if (!this.#closed) this.#callbacks.onConnect?.();
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #fault(error: unknown): unknown {
    const { databaseUrl, connectTimeoutMs } = this.#database;
    return toStoreError(error, { ...parseAddress(databaseUrl), connectTimeoutMs, max: 1 });
  }

  /** A connection may break in several voices; the first counts. */
  #lost(client: pg.Client, error: unknown): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = null;
    void client.end().catch(() => undefined);
    this.#callbacks.onError?.(this.#fault(error));
    this.#timer = setTimeout(() => {
      this.#connecting = this.#connect();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }
}
