/**
 * Pages of long lists: a size that stays small, and a cursor that survives rows being added meanwhile.
 */
import { FermataError } from '../definitions/fermata-error.ts';

/** Rows that one answer holds at most. */
export const PAGE_LIMIT = 200;

/** A page of a list, newest or most urgent first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Give it back as `cursor` for the next page; `null`: this was the last. */
  readonly cursor: string | null;
}

/** Where a page ended: a time in milliseconds and the id of its last row. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** `limit`, cut to 1 … {@link PAGE_LIMIT}; default 50. */
export function pageSize(limit = 50): number {
  return Math.min(PAGE_LIMIT, Math.max(1, Math.trunc(limit)));
}

/** Makes a page of one row more than fits, if there is one. */
export function toPage<Row, T>(
  rows: readonly Row[],
  size: number,
  convert: { readonly item: (row: Row) => T; readonly position: (row: Row) => Position },
): Page<T> {
  const kept = rows.slice(0, size);
  const last = kept.at(-1);
  const more = rows.length > size && last !== undefined;
  return { items: kept.map(convert.item), cursor: more ? writeCursor(convert.position(last)) : null };
}

/** @throws usage.invalid when the text is no cursor */
export function readCursor(cursor: string): Position {
  const [at, id] = parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || typeof id !== 'string') {
    throw new FermataError('usage.invalid', 'the cursor is not one that a list gave; leave it out to begin again');
  }
  return { at, id };
}

function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify([position.at, position.id]), 'utf8').toString('base64url');
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
