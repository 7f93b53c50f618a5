/**
 * The accounting that the commands write: payments and notices, in the schema `expenses` of a PostgreSQL database.
 *
 * A write under a key that it has seen before changes nothing.
 */
import { exampleDatabase } from '../example-database.ts';

const { query, close } = exampleDatabase(
  'expenses',
  `create schema if not exists expenses;
  create table if not exists expenses.payments (
    key text primary key, expense_id text not null, recipient text not null, amount numeric not null,
    reversed boolean not null default false
  );
  create table if not exists expenses.notices (key text primary key, recipient text not null, body text not null);`,
);

/** Ends the connections of the ledger. */
export const closeLedger = close;

export interface Payment {
  readonly expenseId: string;
  readonly recipient: string;
  readonly amount: number;
  readonly key: string;
}

/** Pays once per key. */
export async function pay({ expenseId, recipient, amount, key }: Payment): Promise<void> {
  const sql = 'insert into expenses.payments values ($1, $2, $3, $4) on conflict do nothing';
  await query(sql, [key, expenseId, recipient, amount]);
}

/** Marks the payment made under `key` as taken back. */
export async function reverse(key: string): Promise<void> {
  await query('update expenses.payments set reversed = true where key = $1', [key]);
}

/** Sends a notice, once per key. */
export async function notify(recipient: string, body: string, key: string): Promise<void> {
  await query('insert into expenses.notices values ($1, $2, $3) on conflict do nothing', [key, recipient, body]);
}
