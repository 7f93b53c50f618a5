/** The first filter of a trigger that did not hold. */
export interface Mismatch {
  /** The field of the trigger; `error`: its `filter` could not be evaluated. */
  readonly kind: 'filters' | 'filter' | 'error';
  /** In `filters`: the path, relative to `event.data`. Else the text of the expression. */
  readonly path: string;
  /** In plain words: `source is "Web", not "Facebook"`. */
  readonly message: string;
}
