/**
 * Walks the parts of a JSON Schema that are schemas themselves, and no data in it (`const`, `enum`, `default`).
 */
import { isList, isObject } from './json-kinds.ts';
import type { Keys } from './path.ts';
import { setOwn } from './set-own.ts';
import type { Json, JsonObject } from '../types.ts';

const SCHEMAS = new Set([
  'additionalItems',
  'unevaluatedItems',
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const SCHEMA_LISTS = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf']);
const SCHEMA_MAPS = new Set(['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']);

/** Calls `visit` for the schema and every schema inside it, outer ones first. */
export function visitSchemas(schema: JsonObject, keys: Keys, visit: (part: JsonObject, keys: Keys) => void): void {
  visit(schema, keys);
  for (const [key, value] of Object.entries(schema)) {
    for (const { part, rest } of partsOf(key, value)) visitSchemas(part, [...keys, key, ...rest], visit);
  }
}

/** A copy in which every schema, inner ones first, is replaced by what `change` makes of it. */
export function rebuildSchema(schema: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject {
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) setOwn(copy, key, rebuildField(key, value, change));
  return change(copy);
}

function rebuildField(key: string, value: Json, change: (part: JsonObject) => JsonObject): Json {
  if (isList(value) && SCHEMA_LISTS.has(key)) {
    return value.map((item) => (isObject(item) ? rebuildSchema(item, change) : item));
  }
  if (!isObject(value)) return value;
  if (SCHEMAS.has(key)) return rebuildSchema(value, change);
  if (!SCHEMA_MAPS.has(key)) return value;
  const copy: Record<string, Json> = {};
  for (const [name, part] of Object.entries(value)) {
    setOwn(copy, name, isObject(part) ? rebuildSchema(part, change) : part);
  }
  return copy;
}

interface Part {
  readonly part: JsonObject;
  readonly rest: Keys;
}

function partsOf(key: string, value: Json): Part[] {
  if (isList(value)) {
    if (!SCHEMA_LISTS.has(key)) return [];
    return value.flatMap((part, index) => (isObject(part) ? [{ part, rest: [index] }] : []));
  }
  if (!isObject(value)) return [];
  if (SCHEMAS.has(key)) return [{ part: value, rest: [] }];
  if (!SCHEMA_MAPS.has(key)) return [];
  return Object.entries(value).flatMap(([name, part]) => (isObject(part) ? [{ part, rest: [name] }] : []));
}
