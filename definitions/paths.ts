/**
 * Paths into JSON data, as filters, correlations and `redact` write them: `company.size`, `items[0].sku`,
 * `labels["a.b"]`.
 *
 * What it is not: an expression. A path reads one value or finds nothing; it never fails on data.
 *
 * Invariants:
 * 1. A dot always steps inside: `a.b` is `b` of `a`. A key that holds a dot or a bracket is quoted: `["a.b"]`.
 * 2. Own keys only, so that `constructor` is absent unless the data has it, and `__proto__` is a key like any other.
 * 3. A list has its elements by number and nothing else: no `length`.
 */
import type { Json, JsonObject } from './types.ts';

/** The keys of a path, outermost first. */
export type Path = readonly string[];

/** One step: `.key`, `[number]` or `["key"]`, in which a backslash stands before `"` and `\`. */
const STEP = /\.([^.[\]]*)|\[(0|[1-9][0-9]*)\]|\["((?:[^"\\]|\\["\\])*)"\]/y;
const LIST_INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * The keys of a written path. The empty text is the key `""`.
 * @throws SyntaxError for a bracket that is neither `["key"]` nor `[number]`, with path and offset.
 */
export function parsePath(text: string): Path {
  const steps = text.startsWith('[') ? text : `.${text}`;
  const keys: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < steps.length) {
    const offset = STEP.lastIndex;
    const step = STEP.exec(steps);
    if (step === null) {
      STEP.lastIndex = 0;
      throw new SyntaxError(
        `Path ${JSON.stringify(text)}, offset ${offset - (steps.length - text.length)}: quote the key, as in ["a.b"]`,
      );
    }
    keys.push(step[1] ?? step[2] ?? (step[3] ?? '').replace(/\\(.)/g, '$1'));
  }
  return keys;
}

/** What `path` finds in `data`; `undefined`: nothing there (which is not `null`). */
export function readPath(data: Json, path: Path): Json | undefined {
  let value: Json | undefined = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !LIST_INDEX.test(key)) return undefined;
    if (!Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}
