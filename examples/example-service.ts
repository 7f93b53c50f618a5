/**
 * The systems that an example changes (a shop, a mail server, a load balancer), as one table: what was done, a row per
 * idempotency key, in a schema of its own in a PostgreSQL database.
 *
 * What it stands for: the APIs that your handlers call. What to copy: each write carries the key, so a second attempt
 * changes nothing.
 */
import { exampleDatabase } from './example-database.ts';

export interface ExampleService {
  /** Does `action` once per key. Gives the key, as the id of what was done. */
  perform(key: string, action: string, details: object): Promise<string>;
  /** Takes back what was done under `key`; nothing where there is nothing. */
  takeBack(key: string): Promise<void>;
  close(): Promise<void>;
}

/** `name`: the schema, lower-case letters and `_`. */
export function exampleService(name: string): ExampleService {
  const { query, close } = exampleDatabase(
    name,
    `create schema if not exists ${name};
    create table if not exists ${name}.done (
      key text primary key, action text not null, details jsonb not null, taken_back boolean not null default false,
      at timestamptz not null default now()
    );`,
  );
  return {
    async perform(key, action, details) {
      const sql = `insert into ${name}.done (key, action, details) values ($1, $2, $3) on conflict do nothing`;
      await query(sql, [key, action, JSON.stringify(details)]);
      return key;
    },
    async takeBack(key) {
      await query(`update ${name}.done set taken_back = true where key = $1`, [key]);
    },
    close,
  };
}
