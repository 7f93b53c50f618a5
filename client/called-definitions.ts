/**
 * The stored definitions that one leads to by starting others, for the check that no run starts itself without end.
 */
import {
  calledDefinitions,
  type Definition,
  type DefinitionCatalog,
  isFermataError,
  type Json,
} from '../definitions/index.ts';
import type { Store } from '../store/index.ts';

/** Definitions looked at; a longer chain is not followed. */
const MOST_LOOKED_AT = 200;

/** The active versions of the definitions that `definition` may start, and of those that these may start; `null`: none. */
export async function definitionsBehind(store: Store, definition: Definition): Promise<DefinitionCatalog | null> {
  const found = new Map<string, Json>();
  const open = [...calledDefinitions(definition as unknown as Json)];
  const seen = new Set([definition.id, ...open]);
  for (const id of open) {
    if (found.size >= MOST_LOOKED_AT) break;
    const document = id === definition.id ? null : await activeVersion(store, id);
    if (document === null) continue;
    found.set(id, document);
    const next = calledDefinitions(document).filter((called) => !seen.has(called));
    for (const called of next) seen.add(called);
    open.push(...next);
  }
  return found.size === 0 ? null : Object.fromEntries(found);
}

async function activeVersion(store: Store, id: string): Promise<Json | null> {
  try {
    return (await store.definitions.get(id)).document as unknown as Json;
  } catch (error) {
    if (isFermataError(error) && error.code === 'definition.not_found') return null;
    throw error;
  }
}
