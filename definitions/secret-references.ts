/**
 * References to secrets in command payloads: `{ "$secret": "crm/key" }`, as the author of a definition writes them.
 *
 * Invariant: only what stands in the template is a reference. Data that looks like one (an event, an output) stays data,
 * so nobody outside can have a secret sent to where a payload goes.
 */
import { type Keys, toPointer } from './json/path.ts';
import type { Template } from './types.ts';

/** The only key of a reference. */
export const SECRET_KEY = '$secret';

/** JSON pointers of the references in a payload template, in document order. */
export function secretPointers(template: Template): readonly string[] {
  const pointers: string[] = [];
  collect(template, [], pointers);
  return pointers;
}

function collect(value: Template, keys: Keys, pointers: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, SECRET_KEY)) {
    pointers.push(toPointer(keys));
    return;
  }
  for (const [key, member] of Object.entries(value)) collect(member, [...keys, key], pointers);
}
