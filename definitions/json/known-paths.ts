/** Parsed paths of filters, shared by all triggers: a million of them use few paths. */
import { RunError } from '../errors.ts';
import { parsePath } from './path.ts';

export interface KnownPath {
  readonly keys: readonly string[];
  /** The path as one text, the same however it was written. */
  readonly id: string;
}

const MOST_KNOWN = 4096;
const known = new Map<string, KnownPath>();

/** @throws RunError `EXPRESSION_ERROR` for text that is no path; validation refuses such a definition before. */
export function knownPath(text: string): KnownPath {
  const found = known.get(text);
  if (found !== undefined) return found;
  const keys = parsePath(text);
  if (keys === null) throw new RunError('EXPRESSION_ERROR', `${JSON.stringify(text)} is no path`, { path: text });
  const path = { keys, id: JSON.stringify(keys) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, path);
  return path;
}
