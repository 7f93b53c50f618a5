/**
 * Checks data against a JSON Schema (2020-12) that somebody wrote into a definition or declared for a handler.
 *
 * What it is: `@cfworker/json-schema`, which interprets and compiles nothing, behind rules that make a schema from a
 * stranger safe to run. What it is not: a way to load schemas; a `$ref` leads inside the document only.
 *
 * Invariants:
 * 1. `pattern` runs on RE2, whose time is linear in the text, with its syntax (no look-around, no back references). It
 *    reaches the library as a `format` of its own, since the library would give it to `RegExp`.
 * 2. Every validation is cut off: references followed, and the length of lists that must be unique, are bounded.
 * 3. The schema is not changed, and no schema and no value makes a check throw; one that cannot be used fits nothing.
 */
import { RE2JS } from '@bufbuild/re2';
import { dereference, format as formats, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import { isList } from './json-kinds.ts';
import { reasonOf } from '../reason-of.ts';
import { schemaMessage } from './schema-messages.ts';
import { rebuildSchema } from './schema-walk.ts';
import type { Json, JsonObject, JsonSchema } from '../types.ts';

/** A fault of data against a schema. */
export interface SchemaMismatch {
  /** JSON pointer into the data; `""` is the whole. */
  readonly path: string;
  readonly message: string;
}

/** A mismatch with the keyword that does not hold, for a check that knows only part of the data. */
export interface KeywordMismatch extends SchemaMismatch {
  readonly keyword: string;
  /** The way through the schema, as the library writes it: `#/properties/a/then/required`. */
  readonly location: string;
}

/** Most mismatches that are told. */
const MOST_MISMATCHES = 50;
const MOST_REFERENCES = 20_000;
/** The library compares the items of such a list pair by pair. */
const LONGEST_UNIQUE_LIST = 5000;
const LONGEST_PATTERN = 500;
/** Characters of a text times instructions of a pattern; about a second at worst. */
const MOST_PATTERN_STEPS = 5_000_000;
const PATTERN_FORMAT = 'pattern:';

interface Prepared {
  readonly schema: Schema;
  readonly lookup: ReturnType<typeof dereference>;
  readonly patterns: ReadonlyMap<string, RE2JS>;
  readonly hasUnique: boolean;
}

const known = new WeakMap<JsonObject, Prepared>();

/**
 * What of `data` does not fit `schema`; empty when all fits. The schema is prepared once per object, so it must not change.
 */
export function validateJson(schema: JsonSchema, data: Json): readonly SchemaMismatch[] {
  return mismatchesOf(schema, data)
    .slice(0, MOST_MISMATCHES)
    .map(({ path, message }) => ({ path, message }));
}

/** The same, all of them, each with its keyword: `""` where the schema itself is at fault. */
export function mismatchesOf(schema: JsonSchema, data: Json): readonly KeywordMismatch[] {
  if (schema === true) return [];
  if (schema === false) return [atTop('nothing is allowed here')];
  try {
    const prepared = known.get(schema) ?? prepare(schema);
    known.set(schema, prepared);
    if (prepared.hasUnique && hasLongList(data)) {
      return [atTop(`a list has more than ${LONGEST_UNIQUE_LIST} items, too many for a schema with uniqueItems`)];
    }
    return innermost(run(prepared, data).errors);
  } catch (error) {
    // A faulty schema (`schemaFaults` says what is wrong), or a `$ref` that leads round without going into the data.
    const [why] = reasonOf(error).split('\n', 1);
    return [atTop(`the schema cannot be used: ${why}`)];
  }
}

function atTop(message: string): KeywordMismatch {
  return { path: '', message, keyword: '', location: '#' };
}

/** @throws Error for what RE2 does not take. */
export function compilePattern(pattern: string): RE2JS {
  if (pattern.length > LONGEST_PATTERN) throw new Error(`a pattern has at most ${LONGEST_PATTERN} characters`);
  return RE2JS.compile(pattern);
}

/** A text whose match would take too long does not match: linear time still multiplies text and pattern. */
function holds(pattern: RE2JS, text: string): boolean {
  return text.length * pattern.re2Input.prog.numInst() <= MOST_PATTERN_STEPS && pattern.test(text);
}

/** A copy in which each `pattern` has become a format; the library also writes into the schemas that it gets. */
export function prepare(schema: JsonObject): Prepared {
  const patterns = new Map<string, RE2JS>();
  let hasUnique = false;
  const copy = rebuildSchema(schema, (part) => {
    if (part['uniqueItems'] === true) hasUnique = true;
    const { pattern, ...rest } = withoutUrl(part);
    if (typeof pattern !== 'string') return withoutUrl(part);
    patterns.set(pattern, patterns.get(pattern) ?? compilePattern(pattern));
    const others = isList(rest['allOf']) ? rest['allOf'] : [];
    return { ...rest, allOf: [{ format: `${PATTERN_FORMAT}${pattern}` }, ...others] };
  }) as Schema;
  return { schema: copy, lookup: dereference(copy), patterns, hasUnique };
}

/** `url` is no format of the standard, and the library's check of it takes exponential time on some texts. */
function withoutUrl(part: JsonObject): JsonObject {
  if (part['format'] !== 'url') return part;
  const { format: _url, ...rest } = part;
  return rest;
}

function run({ schema, lookup, patterns }: Prepared, data: Json): ReturnType<typeof validate> {
  let references = 0;
  const counted = new Proxy(lookup, {
    get(target, uri) {
      if (++references > MOST_REFERENCES) throw new Error('it follows too many references');
      return Reflect.get(target, uri) as unknown;
    },
  });
  // The library knows formats by name in one table; ours are in it for the length of one validation.
  const table = formats as Record<string, (text: string) => boolean>;
  for (const [pattern, compiled] of patterns) table[`${PATTERN_FORMAT}${pattern}`] = (text) => holds(compiled, text);
  try {
    return validate(data, schema, '2020-12', counted, false);
  } finally {
    for (const pattern of patterns.keys()) delete table[`${PATTERN_FORMAT}${pattern}`];
  }
}

/** Keywords that only say that something inside them does not fit. */
const HOLDERS = new Set([
  '$ref',
  'allOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'unevaluatedItems',
  'additionalItems',
  'dependentSchemas',
  'if',
  'then',
  'else',
]);

/** Parts that only say why the whole around them does not fit. */
const INSIDE = /\/(?:anyOf|oneOf|not|propertyNames|contains)\//;

/** The innermost faults only; of alternatives once that none fits. */
function innermost(errors: readonly OutputUnit[]): KeywordMismatch[] {
  return errors
    .filter(({ keyword, keywordLocation }) => !HOLDERS.has(keyword) && !INSIDE.test(keywordLocation))
    .map(({ instanceLocation, keyword, keywordLocation, error }) => ({
      path: decode(instanceLocation.slice(1)),
      message: schemaMessage(keyword, error),
      keyword,
      location: keywordLocation,
    }));
}

/** The library writes pointers as parts of a URI. */
function decode(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

function hasLongList(data: Json): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (isList(data) && data.length > LONGEST_UNIQUE_LIST) return true;
  return Object.values(data).some(hasLongList);
}
