/**
 * The handlers of one worker, looked up by type and version.
 *
 * Invariants:
 * 1. Versions of a type stand side by side; a type and version has one handler, and a second one is refused.
 * 2. A declared command goes before a class handler that answers to the same type.
 * 3. A registry never changes.
 */
import { FermataError } from '../definitions/fermata-error.ts';
import { articleHandler, type AdaptedHandler } from './adapt-handler.ts';
import type { Command } from './define-command.ts';
import { commandHandler, type Handler } from './handler.ts';

export type Registrable = Command | AdaptedHandler;

export interface Registry {
  /**
   * The handler of this type and version, or `null`.
   *
   * @throws FermataError `handler.invalid` when two class handlers answer to the type.
   */
  find(type: string, version: number): Handler | null;
  /** Versions of `type` that are registered, ascending; empty when there are none. */
  versions(type: string): readonly number[];
  /** Every type known by name, in alphabetical order. */
  readonly types: readonly string[];
  /** What was registered, in its order. */
  readonly entries: readonly Registrable[];
}

/**
 * @throws FermataError `handler.invalid` when two have the same type and version, or an entry was not made by
 * `defineCommand` or `adaptHandler`.
 */
export function createRegistry(entries: readonly Registrable[]): Registry {
  const commands = new Map<string, Map<number, Handler>>();
  const adapted: { readonly source: AdaptedHandler; readonly handler: Handler }[] = [];
  for (const [index, entry] of entries.entries()) {
    checkEntry(entry, index);
    if (isAdapted(entry)) {
      const handler = articleHandler(entry);
      adapted.push({ source: entry, handler });
      for (const type of entry.types) addVersion(commands, { type, version: 1 }, handler);
    } else {
      addVersion(commands, entry, commandHandler(entry));
    }
  }
  return {
    find: (type, version) => commands.get(type)?.get(version) ?? findAdapted(adapted, type),
    versions: (type) => [...(commands.get(type)?.keys() ?? [])].sort((a, b) => a - b),
    types: [...commands.keys()].sort(),
    entries: [...entries],
  };
}

export function isAdapted(entry: Registrable): entry is AdaptedHandler {
  return 'kind' in entry && entry.kind === 'adapted';
}

/** Plain JavaScript may hand over a class, an instance or a whole module. */
function checkEntry(entry: Registrable, index: number): void {
  if (typeof entry === 'object' && entry !== null && (isAdapted(entry) || ('execute' in entry && 'input' in entry)))
    return;
  const remedy = 'make it with defineCommand, or with adaptHandler from an instance of a class';
  throw new FermataError('handler.invalid', `entry ${index} of the commands is no handler; ${remedy}`, { index });
}

function addVersion(
  commands: Map<string, Map<number, Handler>>,
  { type, version }: { readonly type: string; readonly version: number },
  handler: Handler,
): void {
  const versions = commands.get(type) ?? new Map<number, Handler>();
  if (versions.has(version)) {
    throw new FermataError(
      'handler.invalid',
      `command ${JSON.stringify(type)} version ${version} is registered twice; give the new one another version`,
      { type, version },
    );
  }
  commands.set(type, versions.set(version, handler));
}

function findAdapted(
  adapted: readonly { readonly source: AdaptedHandler; readonly handler: Handler }[],
  type: string,
): Handler | null {
  const [first, second] = adapted.filter(({ source }) => source.instance.canHandle(type));
  if (second !== undefined) {
    throw new FermataError('handler.invalid', `two class handlers answer to the command ${JSON.stringify(type)}`, {
      type,
    });
  }
  return first?.handler ?? null;
}
