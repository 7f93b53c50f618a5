/**
 * Nodes and documents in few words, and what a check finds in them.
 */
import { type CheckOptions, checkDefinition } from '../../definitions/check-definition.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';

export const document = (...nodes: JsonObject[]): JsonObject => ({ id: 'test', nodes });

export const node = (type: string, id: string, config: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  id,
  type,
  config,
  ...rest,
});

export const action = (id: string, rest: JsonObject = {}): JsonObject => node('action', id, { command: 'work' }, rest);

/** An action whose payload is `payload`. */
export const sends = (id: string, payload: Json, rest: JsonObject = {}): JsonObject =>
  node('action', id, { command: 'work', payload }, rest);

export const delay = (id: string, config: JsonObject, rest: JsonObject = {}): JsonObject =>
  node('delay', id, config, rest);

export const assign = (id: string, vars: JsonObject, rest: JsonObject = {}): JsonObject =>
  node('assign', id, { vars }, rest);

export const condition = (id: string, expression: string, rest: JsonObject = {}): JsonObject =>
  node('condition', id, { expression }, rest);

/** Branches `b0`, `b1`, … */
export const fork = (
  id: string,
  branches: readonly JsonObject[][],
  config: JsonObject = {},
  rest: JsonObject = {},
): JsonObject =>
  node('parallel', id, { branches: branches.map((nodes, index) => ({ id: `b${index}`, nodes })), ...config }, rest);

export const each = (
  id: string,
  nodes: readonly JsonObject[],
  config: JsonObject = {},
  rest: JsonObject = {},
): JsonObject => node('forEach', id, { items: '[1, 2]', nodes: [...nodes], ...config }, rest);

export const box = (
  id: string,
  nodes: readonly JsonObject[],
  config: JsonObject = {},
  rest: JsonObject = {},
): JsonObject => node('scope', id, { nodes: [...nodes], ...config }, rest);

/** A document with one approval `ask` by the role `boss`. */
export const approval = (config: JsonObject, rest: JsonObject = {}): JsonObject =>
  document(node('approval', 'ask', { assignees: { roles: ['boss'] }, ...config }, rest));

/** Links each to the next; what a node says itself stays. */
export const row = (...nodes: JsonObject[]): JsonObject[] =>
  nodes.map((one, index) => {
    const next = nodes[index + 1];
    return next === undefined ? one : { nextNodeId: next['id'] as Json, ...one };
  });

/** `severity code path node` of each issue. */
export const found = (value: unknown, options: CheckOptions = {}): string[] =>
  checkDefinition(value, options).issues.map(({ severity, code, path, nodeId }) => {
    return `${severity} ${code.replace('definition.', '')} ${path} ${nodeId ?? '-'}`;
  });

/** The messages of all issues, one a line. */
export const messages = (value: unknown, options: CheckOptions = {}): string =>
  checkDefinition(value, options)
    .issues.map(({ message }) => message)
    .join('\n');
