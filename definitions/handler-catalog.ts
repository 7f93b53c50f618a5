/**
 * What is known of the handlers that workers have: types, versions, schemas, defaults.
 *
 * What it is: plain data, as workers write it to the store and validation reads it. What it is not: the handlers.
 */
import { allNodes } from './all-nodes.ts';
import type {
  ActionNode,
  Definition,
  DurationText,
  HandlerBinding,
  HandlerBindings,
  JsonSchema,
  Node,
  RetryPolicy,
} from './types.ts';

/** One version of one handler. */
export interface HandlerEntry {
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly retry?: RetryPolicy;
  readonly timeout?: DurationText;
  readonly heartbeat?: DurationText;
  readonly hasRollback: boolean;
}

/** Command type → version → handler. */
export type HandlerCatalog = { readonly [type: string]: { readonly [version: string]: HandlerEntry } };

/** The version of a command where an action names none. */
export const DEFAULT_COMMAND_VERSION = 1;

/** The entry of a command, or `undefined` where no worker is known to have it. */
export function handlerOf(catalog: HandlerCatalog, type: string, version: number): HandlerEntry | undefined {
  const versions = Object.hasOwn(catalog, type) ? catalog[type] : undefined;
  return versions !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined;
}

/** The versions of a command that are known, ascending. */
export function versionsOf(catalog: HandlerCatalog, type: string): readonly number[] {
  const versions = Object.hasOwn(catalog, type) ? (catalog[type] ?? {}) : {};
  return Object.keys(versions)
    .map(Number)
    .sort((left, right) => left - right);
}

/** A command as an action names it. */
export interface CommandName {
  readonly command: string;
  readonly version?: number | undefined;
}

/** The version that a command resolves to, the newest known where it names none, and its handler where one is known. */
export function resolveHandler(
  catalog: HandlerCatalog,
  { command, version: wanted }: CommandName,
): { readonly version: number; readonly entry: HandlerEntry | undefined } {
  const version = wanted ?? versionsOf(catalog, command).at(-1) ?? DEFAULT_COMMAND_VERSION;
  return { version, entry: handlerOf(catalog, command, version) };
}

/**
 * What publishing stamps into a version: for each command of the definition, undo commands too, the version that it
 * resolves to and what the handler declares. A command that names no version gets the newest that is known; one that
 * nobody has gets {@link DEFAULT_COMMAND_VERSION} and waits for a worker at run time. Read it with {@link bindingFor}.
 */
export function resolveBindings(definition: Definition, catalog: HandlerCatalog): HandlerBindings {
  const bindings = new Map<string, HandlerBinding>();
  const uses = commandsOf(definition.nodes);
  for (const use of uses) {
    if (use.version === undefined) bindings.set(use.command, bindingOf(catalog, use));
  }
  for (const use of uses) {
    const { command, version } = use;
    if (version === undefined) continue;
    const binding = bindingOf(catalog, use);
    if (!bindings.has(command)) bindings.set(command, binding);
    if (bindings.get(command)?.version !== version) bindings.set(`${command}@${version}`, binding);
  }
  return Object.fromEntries(bindings);
}

/** The binding of a command as an action names it, with or without a version. */
export function bindingFor(bindings: HandlerBindings, command: string, version?: number): HandlerBinding | undefined {
  const exact = version === undefined ? command : `${command}@${version}`;
  const key = Object.hasOwn(bindings, exact) ? exact : command;
  const binding = Object.hasOwn(bindings, key) ? bindings[key] : undefined;
  return version === undefined || binding?.version === version ? binding : undefined;
}

function bindingOf(catalog: HandlerCatalog, use: CommandName): HandlerBinding {
  const { version, entry } = resolveHandler(catalog, use);
  if (entry === undefined) return { version };
  const { inputSchema: _input, outputSchema: _output, ...binding } = entry;
  return { version, ...binding };
}

function commandsOf(nodes: readonly Node[]): CommandName[] {
  return allNodes(nodes).flatMap((node) => (node.type === 'action' ? commandsOfAction(node) : []));
}

function commandsOfAction({ config }: ActionNode): CommandName[] {
  const uses: CommandName[] = [{ command: config.command, version: config.version }];
  if (typeof config.undo === 'object') uses.push({ command: config.undo.command });
  return uses;
}
