/**
 * The content hash of a definition document.
 */
import { createHash } from 'node:crypto';
import type { Definition } from '../definitions/types.ts';

/** SHA-256 of the document's compact JSON, keys in the order in which they were written, in lower-case hex. */
export function definitionHash(document: Definition): string {
  return sha256(JSON.stringify(document));
}

/** SHA-256 of `text` as UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
