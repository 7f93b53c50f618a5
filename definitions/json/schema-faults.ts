/**
 * Judges a JSON Schema where it is written, so that what cannot be used is refused before data meets it.
 *
 * Refused: a `$ref` out of the document or to nothing, an inner `$id`, `$dynamicRef` and `$recursiveRef`, a `pattern` that RE2 does not
 * take, a `patternProperties` name that could backtrack, a type that JSON does not have, a keyword of the wrong kind.
 */
import { isList, isObject } from './json-kinds.ts';
import { compilePattern } from './json-schema.ts';
import { fromPointer, toPointer, valueAt } from './path.ts';
import { reasonOf } from '../reason-of.ts';
import { visitSchemas } from './schema-walk.ts';
import type { Json, JsonObject, JsonSchema } from '../types.ts';

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

const KEYWORDS: readonly (readonly [Kind, string])[] = [
  ['list', 'enum'],
  ['texts', 'required'],
  [
    'schema',
    'not if then else contains propertyNames items additionalProperties unevaluatedProperties unevaluatedItems',
  ],
  ['schemas', 'allOf anyOf oneOf prefixItems'],
  ['map', 'properties patternProperties dependentSchemas $defs definitions'],
  ['textMap', 'dependentRequired'],
  ['text', '$ref $id format pattern'],
  ['number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems'],
  ['number', 'minContains maxContains minProperties maxProperties'],
  ['boolean', 'uniqueItems'],
];
const KINDS: ReadonlyMap<string, Kind> = new Map(
  KEYWORDS.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
);

const TESTS: { readonly [K in Kind]: (value: Json) => boolean } = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => isList(value),
  texts: (value) => isList(value) && value.every((item) => typeof item === 'string'),
  schema: isSchema,
  schemas: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  map: (value) => isObject(value) && Object.values(value).every(isSchema),
  textMap: (value) => isObject(value) && Object.values(value).every((names) => TESTS.texts(names)),
};

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

function faultOf(keyword: string, value: Json, root: JsonObject): string | null {
  const kind = KINDS.get(keyword);
  if (kind !== undefined && !TESTS[kind](value)) return `"${keyword}" has the wrong form`;
  switch (keyword) {
    case '$ref':
      return leadsSomewhere(value, root)
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
      return patternFault(value);
    case 'patternProperties':
      return Object.keys(value as JsonObject).every(isSafeName)
        ? null
        : 'the names of "patternProperties" may hold letters, classes, anchors and one repetition, as in "^x-[a-z]+$"';
    default:
      return null;
  }
}

function patternFault(pattern: Json): string | null {
  try {
    if (typeof pattern !== 'string') throw new TypeError('it is no text');
    compilePattern(pattern);
    return null;
  } catch (error) {
    return `the pattern is refused: ${reasonOf(error)}`;
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

function leadsSomewhere(ref: Json, root: JsonObject): boolean {
  if (typeof ref !== 'string') return false;
  if (ref === '#') return true;
  const keys = ref.startsWith('#/') ? fromPointer(ref.slice(1)) : null;
  return keys !== null && isSchema(valueAt(root, keys) ?? null);
}

function isSchema(value: Json): boolean {
  return typeof value === 'boolean' || isObject(value);
}
