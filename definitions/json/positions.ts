/**
 * Where the parts of a document stand in its text.
 */
import type { Keys } from './path.ts';
import type { Json } from '../types.ts';

/** A value with the place of each of its parts. */
export interface PlacedValue {
  readonly value: Json;
  /** Where it begins: for a field, its key. In UTF-16 units from the start of the text. */
  readonly offset: number;
  /** Of a list or object, by index or key. */
  readonly parts?: ReadonlyMap<string, PlacedValue>;
}

/** A place in a text, both counted from 1; columns in UTF-16 units, as editors count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The offset of the part at `keys`, or of its nearest enclosing part that is there. */
export function offsetOf(root: PlacedValue, keys: Keys): number {
  let place = root;
  for (const key of keys) {
    const part = place.parts?.get(String(key));
    if (part === undefined) break;
    place = part;
  }
  return place.offset;
}

/** The lines of a text, found once. */
export class TextLines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
