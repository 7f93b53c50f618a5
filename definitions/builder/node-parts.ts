/**
 * From the arguments of a step to the parts of its node, as JSON.
 */
import type { Json } from '../types.ts';
import { NAMES } from './reference.ts';
import { expressionOf, templateOf } from './render.ts';

/** Fields of a step, not yet written down. */
export type Fields = { readonly [name: string]: unknown };

/** A node, and where it leads: to an id, nowhere (`null`), or to the node behind it (`undefined`). */
export interface Draft {
  readonly node: { readonly [name: string]: Json };
  readonly next: string | null | undefined;
}

const BEFORE = ['name', 'description'];
const BEHIND = ['fallbackNodeId', 'catch', 'transitions', 'maxVisits'];

/** Calls what is a function with the names in scope. */
export function given(value: unknown): unknown {
  return typeof value === 'function' ? (value as (names: object) => unknown)(NAMES) : value;
}

export function givenFields(value: unknown): Fields {
  return (given(value) ?? {}) as Fields;
}

/** A node; fields of `options` that are not of its flow belong to its config. */
export function draftOf(
  type: string,
  id: string,
  parts: { readonly config?: Fields; readonly options?: Fields },
): Draft {
  const { nextNodeId, ...options } = parts.options ?? {};
  const entries = Object.entries(options);
  const named = (names: readonly string[]): Fields => pick(options, (name) => names.includes(name));
  const isConfig = (name: string): boolean => ![...BEFORE, ...BEHIND].includes(name) && !name.startsWith('x-');
  const config = { ...parts.config, ...pick(options, isConfig) };
  const hasConfig = parts.config !== undefined || entries.some(([name]) => isConfig(name));
  const node = {
    id,
    type,
    ...named(BEFORE),
    ...(hasConfig ? { config } : {}),
    ...named(BEHIND),
    ...pick(options, (name) => name.startsWith('x-')),
  };
  return { node: templateOf(node) as Draft['node'], next: nextNodeId as Draft['next'] };
}

function pick(fields: Fields, keep: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => keep(name)));
}

/** Types of nodes that name themselves where the run goes. */
const LEADS_ITSELF = new Set<unknown>(['end', 'switch']);

/** The nodes of a scope, each leading to the one behind it unless it said otherwise. */
export function nodesOf(drafts: readonly Draft[]): readonly Json[] {
  return drafts.map(({ node, next }, index) => {
    const following = LEADS_ITSELF.has(node['type']) ? undefined : drafts[index + 1]?.node['id'];
    const nextNodeId = next === undefined ? following : next;
    return nextNodeId === undefined || nextNodeId === null ? node : { ...node, nextNodeId };
  });
}

/** A command by its declaration or its type, with its version where that is not the first. */
export function commandFields(command: unknown): Fields {
  if (typeof command === 'string') return { command };
  const { type, version } = command as { readonly type: string; readonly version: number };
  return version === 1 ? { command: type } : { command: type, version };
}

export function undoOf(undo: unknown): unknown {
  if (typeof undo !== 'object' || undo === null) return undo;
  const { command, payload, ...rest } = undo as Fields;
  return { command: commandFields(command)['command'], payload: given(payload), ...rest };
}

export function casesOf({ cases, ...rest }: Fields): Fields {
  const list = cases as readonly Fields[];
  return { cases: list.map(({ when, ...others }) => ({ when: expressionOf(when), ...others })), ...rest };
}

export function waitOf({ filter, ...rest }: Fields): Fields {
  return filter === undefined ? rest : { ...rest, filter: expressionOf(given(filter)) };
}

/** What a `workflow` node begins. */
export function childFields(child: unknown): Fields {
  if (typeof child === 'string') return { definitionId: child };
  const { workflowType, id } = child as Fields;
  return workflowType === undefined ? { definitionId: id } : { workflowType };
}

/** An event type, or a list of such, by name. */
export function eventNames(event: unknown): unknown {
  if (Array.isArray(event)) return event.map(eventNames);
  return typeof event === 'object' && event !== null ? (event as { readonly type: string }).type : event;
}
