/**
 * Judges a JSON Schema where it is written, so that what cannot be used is refused before data meets it.
 *
 * Refused: a `$ref` out of the document or to nothing, an inner `$id`, `$dynamicRef` and `$recursiveRef`, a `pattern` that RE2 does not
 * take, a `patternProperties` name that could backtrack, a type that JSON does not have, a keyword of the wrong kind.
 */
import { compilePattern } from './json-schema.ts';
import { fromPointer, toPointer, valueAt } from './path.ts';
import type { Json, JsonObject, JsonSchema } from './types.ts';
import { visitSchemas } from './schema-walk.ts';

/** A place of a schema that cannot be used. */
export interface SchemaFault {
  /** JSON pointer into the schema. */
  readonly path: string;
  readonly message: string;
}

/** All places that cannot be used; empty when the schema can. */
export function schemaFaults(schema: JsonSchema): readonly SchemaFault[] {
  if (typeof schema === 'boolean') return [];
  const faults: SchemaFault[] = [];
  visitSchemas(schema, [], (part, keys) => {
    for (const [keyword, value] of Object.entries(part)) {
      const inner = keyword === '$id' && keys.length > 0;
      const message = inner ? 'only the whole schema may have an "$id"' : faultOf(keyword, value, schema);
      if (message !== null) faults.push({ path: toPointer([...keys, keyword]), message });
    }
  });
  return faults;
}

type Kind = 'number' | 'text' | 'boolean' | 'list' | 'texts' | 'schema' | 'schemas' | 'map' | 'textMap';

const KINDS: { readonly [keyword: string]: Kind } = {
  enum: 'list',
  required: 'texts',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  contains: 'schema',
  propertyNames: 'schema',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  unevaluatedItems: 'schema',
  items: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  prefixItems: 'schemas',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  $defs: 'map',
  definitions: 'map',
  dependentRequired: 'textMap',
  $ref: 'text',
  $id: 'text',
  format: 'text',
  pattern: 'text',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'number',
  maxLength: 'number',
  minItems: 'number',
  maxItems: 'number',
  minContains: 'number',
  maxContains: 'number',
  minProperties: 'number',
  maxProperties: 'number',
  uniqueItems: 'boolean',
};

const TESTS: { readonly [K in Kind]: (value: Json) => boolean } = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  texts: (value) => isList(value) && value.every((item) => typeof item === 'string'),
  schema: isSchema,
  schemas: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  map: (value) => isObject(value) && Object.values(value).every(isSchema),
  textMap: (value) => isObject(value) && Object.values(value).every((names) => TESTS.texts(names)),
};

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

function faultOf(keyword: string, value: Json, root: JsonObject): string | null {
  const kind = Object.hasOwn(KINDS, keyword) ? KINDS[keyword] : undefined;
  if (kind !== undefined && !TESTS[kind](value)) return `"${keyword}" has the wrong form`;
  switch (keyword) {
    case '$ref':
      return leadsSomewhere(String(value), root)
        ? null
        : 'a "$ref" must lead to a place in the same schema, as in "#/$defs/name"';
    case '$anchor':
    case '$dynamicRef':
    case '$recursiveRef':
      return `"${keyword}" is not supported; use "$ref" with a path`;
    case 'type':
      return [value].flat().every((type) => typeof type === 'string' && TYPES.has(type))
        ? null
        : `"type" must be one of ${[...TYPES].join(', ')}`;
    case 'pattern':
      return patternFault(String(value));
    case 'patternProperties':
      return Object.keys(value as JsonObject).every(isSafeName)
        ? null
        : 'the names of "patternProperties" may hold letters, classes, anchors and one repetition, as in "^x-[a-z]+$"';
    default:
      return null;
  }
}

function patternFault(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return `the pattern is refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** These stay with `RegExp`, so only patterns pass that hold no group and one repetition at most. */
function isSafeName(pattern: string): boolean {
  const atoms = /^\^?(?:\[(?:[^\]\\]|\\[\w.\-\\/])+\][*+?]?|\\[dwsDWS.\-/$][*+?]?|[\w\-:/ @][*+?]?|\.[*+?]?)*\$?$/;
  if (pattern.length > 100 || !atoms.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return false;
  }
  return (pattern.replace(/\[(?:[^\]\\]|\\.)*\]|\\./g, 'c').match(/[*+?]/g) ?? []).length <= 1;
}

function leadsSomewhere(ref: string, root: JsonObject): boolean {
  if (ref === '#') return true;
  const keys = ref.startsWith('#/') ? fromPointer(ref.slice(1)) : null;
  return keys !== null && isSchema(valueAt(root, keys) ?? null);
}

function isSchema(value: Json): boolean {
  return typeof value === 'boolean' || isObject(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
