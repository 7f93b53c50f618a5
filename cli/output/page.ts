/**
 * A page of a list as an answer: `{ items, cursor }` for programs, a table for people, and how to go on.
 */
import type { Answer } from '../answer.ts';
import type { Paint } from './paint.ts';
import { tableText } from './table.ts';

export interface PageTable<T> {
  readonly head: readonly string[];
  readonly row: (item: T, paint: Paint) => readonly string[];
  /** What to say where there is nothing. */
  readonly none: string;
}

export function pageAnswer<T>(
  page: { readonly items: readonly T[]; readonly cursor: string | null },
  { head, row, none }: PageTable<T>,
): Answer {
  const { items, cursor } = page;
  return {
    document: { items, cursor },
    text: (paint) =>
      items.length === 0
        ? ''
        : tableText(
            paint,
            head,
            items.map((item) => row(item, paint)),
          ),
    notes: (paint) => {
      if (items.length === 0) return paint.dim(none);
      return cursor === null ? '' : paint.dim(`There are more: --cursor ${cursor}`);
    },
  };
}
