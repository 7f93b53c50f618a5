/**
 * Handlers from modules that people name: every exported command or adapted handler, alone or in a list.
 *
 * What it is not: a check of the handlers; two of one type and version are refused by the registry.
 *
 * Invariants:
 * 1. Exports that are no handlers are left alone, but an instance or class in the article's form, which its author
 *    surely meant, is refused with the remedy. So is a module without any handler.
 * 2. A handler that is exported twice, or from two modules, counts once.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Registrable } from '../../activities/index.ts';
import { FermataError } from '../../definitions/index.ts';
import type { Io } from '../io.ts';

/** @throws FermataError `handler.invalid`, naming file and export */
export async function loadCommands(io: Io, files: readonly string[]): Promise<readonly Registrable[]> {
  const found = new Set<Registrable>();
  for (const file of files) {
    const before = found.size;
    const exported = await loadModule(io, file);
    for (const [name, value] of exportsOf(exported)) collect(found, value, { file, name });
    if (found.size > before) continue;
    const message = `${file} exports no handler; export what defineCommand or adaptHandler made`;
    throw new FermataError('handler.invalid', message, { file });
  }
  return [...found];
}

/** TypeScript runs through tsx, registered once, as if the whole process had been started with it. */
async function loadModule(io: Io, file: string): Promise<object> {
  try {
    if (/\.[cm]?tsx?$/.test(file) && !import.meta.url.endsWith('.ts')) await registerTypeScript();
    return (await import(pathToFileURL(resolve(io.cwd, file)).href)) as object;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FermataError('handler.invalid', `${file} cannot be loaded: ${reason}`, { file }, { cause: error });
  }
}

let registered = false;

async function registerTypeScript(): Promise<void> {
  if (registered) return;
  registered = true;
  const { register } = await import('tsx/esm/api');
  register();
}

/** A CommonJS module shows its exports under `default`, too. */
function exportsOf(exported: object): readonly (readonly [string, unknown])[] {
  const { default: main, ...named } = exported as { readonly default?: unknown };
  const entries = Object.entries(named);
  if (main === undefined) return entries;
  const inside = isRecord(main) && !isCommand(main) && !isArticleForm(main) ? Object.entries(main) : [];
  return [...entries, ...(inside.length > 0 ? inside : [['default', main] as const])];
}

function collect(
  found: Set<Registrable>,
  value: unknown,
  place: { readonly file: string; readonly name: string },
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      collect(found, item, { ...place, name: `${place.name}[${index}]` });
    }
  } else if (isCommand(value)) {
    found.add(value);
  } else if (isArticleForm(value)) {
    const message = `The export ${place.name} of ${place.file} has canHandle and execute; export adaptHandler(…) of an instance instead`;
    throw new FermataError('handler.invalid', message, { ...place });
  }
}

function isCommand(value: unknown): value is Registrable {
  if (!isRecord(value)) return false;
  if (value['kind'] === 'adapted') return true;
  return typeof value['type'] === 'string' && typeof value['execute'] === 'function' && 'input' in value;
}

/** An instance, or the class itself. */
function isArticleForm(value: unknown): boolean {
  const methods: unknown = typeof value === 'function' ? value.prototype : value;
  if (typeof methods !== 'object' || methods === null) return false;
  const { canHandle, execute } = methods as { canHandle?: unknown; execute?: unknown };
  return typeof canHandle === 'function' && typeof execute === 'function';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
