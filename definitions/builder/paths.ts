/** Paths as `get`, `redact` and filters read them; the reverse of `parsePath`. */
import type { Key } from './reference.ts';

const PLAIN = /^[^.[\]]+$/;

export function dottedPath(keys: readonly Key[]): string {
  return keys
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!PLAIN.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}
