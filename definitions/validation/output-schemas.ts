/**
 * What is known of the shape of outputs, and whether a path fits a shape.
 *
 * What it is not: JSON Schema validation (`json-schema.ts`). Where a schema leaves a shape open by `anyOf`, patterns and
 * the like, nothing is said.
 */
import { type HandlerCatalog, resolveHandler } from '../handler-catalog.ts';
import { isObject } from '../json/json-kinds.ts';
import type { Json, JsonObject, JsonSchema } from '../types.ts';
import type { NodeOutline } from './outline.ts';

const APPROVAL_OUTPUT: JsonSchema = {
  type: 'object',
  properties: { outcome: {}, decisions: { type: 'array' }, data: {} },
  additionalProperties: false,
};

const EVENT_OUTPUT: JsonSchema = {
  type: 'object',
  properties: { id: {}, type: {}, source: {}, subject: {}, time: {}, data: {} },
  additionalProperties: false,
};

/** The schema of a node's output, where one is known. */
export function outputSchemaOf(node: NodeOutline, handlers: HandlerCatalog | null): JsonSchema | undefined {
  if (node.type === 'approval') return APPROVAL_OUTPUT;
  if (node.type === 'event') return EVENT_OUTPUT;
  if (node.node?.type !== 'action' || handlers === null) return undefined;
  return resolveHandler(handlers, node.node.config).entry?.outputSchema;
}

/** A field that a schema does not list. `open`: it allows others than those it lists. */
export interface MissingField {
  readonly field: string;
  readonly known: readonly string[];
  readonly open: boolean;
}

/** The first key of `path` that `schema` does not have; `null` where all are there or nothing can be said. */
export function missingField(schema: JsonSchema, path: readonly string[]): MissingField | null {
  let current: Json | undefined = schema;
  for (const field of path) {
    const shape = resolve(current, schema);
    if (shape === null) return null;
    const { properties, items, additionalProperties } = shape;
    if (isObject(properties)) {
      if (Object.hasOwn(properties, field)) {
        current = properties[field];
        continue;
      }
      if (isObject(shape['patternProperties']) || isObject(additionalProperties)) return null;
      return { field, known: Object.keys(properties), open: additionalProperties !== false };
    }
    if (!isObject(items) || !/^\d+$/.test(field)) return null;
    current = items;
  }
  return null;
}

const UNDECIDED = ['anyOf', 'oneOf', 'allOf', 'if', 'not', 'dependentSchemas', 'prefixItems'];

/** Follows local references; `null` where the shape is not plain. */
function resolve(schema: Json | undefined, root: JsonSchema): JsonObject | null {
  let current = schema;
  for (let hops = 0; hops < 20; hops++) {
    if (!isObject(current) || UNDECIDED.some((keyword) => Object.hasOwn(current as JsonObject, keyword))) return null;
    const { $ref } = current;
    if (typeof $ref !== 'string') return current;
    const name = /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1];
    const defs: Json | undefined = isObject(root) ? root['$defs'] : undefined;
    if (name === undefined || !isObject(defs) || !Object.hasOwn(defs, name)) return null;
    current = defs[name];
  }
  return null;
}
