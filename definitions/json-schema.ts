/**
 * Checks JSON against a JSON Schema (draft 2020-12): the input of a run, the form of an approval.
 *
 * What it is: a thin hardened layer over an interpreting validator; nothing is compiled to code.
 * What it is not: zod, which checks the documents of Fermata itself and stays out of workflows.
 *
 * Invariants:
 * 1. `pattern` runs on the linear-time engine of expressions; `patternProperties`, which could not, is refused.
 * 2. A `$ref` stays in its document: only `#` and `#/…` are followed.
 * 3. The schema is not changed, and no schema and no value makes a check throw.
 */
import { format, type Schema, Validator } from '@cfworker/json-schema';
import { Meter, spend } from './expressions/budget.ts';
import { matches } from './expressions/patterns.ts';
import { toPointer } from './path.ts';
import type { Json, JsonSchema } from './types.ts';

/** One place that does not fit. */
export interface SchemaMismatch {
  /** JSON pointer into the value; `""` is the whole. */
  readonly path: string;
  readonly message: string;
}

/** Most mismatches that one check reports. */
const MOST_REPORTED = 20;

/** Keywords that only say that something inside them does not fit. */
const CONTAINERS: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'properties',
  'additionalProperties',
  'items',
  'prefixItems',
  'dependentSchemas',
  'if',
  'then',
  'else',
]);

/** Why a schema cannot be used, each with its place in the schema; empty: it can. */
export function schemaFaults(schema: JsonSchema): readonly SchemaMismatch[] {
  return prepared(schema).faults;
}

/** Where a value does not fit; empty: it fits. A schema that cannot be used fits nothing. */
export function schemaMismatches(schema: JsonSchema, value: Json): readonly SchemaMismatch[] {
  const { faults, validator, patterns } = prepared(schema);
  if (validator === null) {
    return faults.map(({ path, message }) => ({
      path: '',
      message: `the schema cannot be used: ${message} (at ${path})`,
    }));
  }
  // The validator looks formats up in one table: that of this schema stands there while it is checked, and only then.
  for (const [name, pattern] of patterns) format[name] = (text) => patternHolds(pattern, text);
  try {
    return reported(validator.validate(value).errors);
  } catch (error) {
    // A `$ref` that leads round in a circle without going into the value.
    return [
      { path: '', message: `the schema cannot be used: ${error instanceof Error ? error.message : 'it never ends'}` },
    ];
  } finally {
    for (const [name] of patterns) delete format[name];
  }
}

interface Prepared {
  readonly faults: readonly SchemaMismatch[];
  readonly validator: Validator | null;
  /** Format name → pattern. */
  readonly patterns: ReadonlyMap<string, string>;
}

const known = new WeakMap<object, Prepared>();

function prepared(schema: JsonSchema): Prepared {
  if (typeof schema === 'boolean') return prepare(schema);
  const before = known.get(schema);
  if (before) return before;
  const fresh = prepare(schema);
  known.set(schema, fresh);
  return fresh;
}

function prepare(schema: JsonSchema): Prepared {
  const preparing: Preparing = { root: schema, faults: [], patterns: new Map() };
  const copy = rewrite(withoutId(schema), [], preparing);
  const { faults, patterns } = preparing;
  return { faults, patterns, validator: faults.length > 0 ? null : new Validator(copy as Schema, '2020-12', false) };
}

/** The name of the whole changes nothing, since no `$ref` leads out of it. */
function withoutId(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { $id: _name, ...rest } = schema;
  return rest;
}

interface Preparing {
  readonly root: Json;
  readonly faults: SchemaMismatch[];
  readonly patterns: Map<string, string>;
}

type Keys = readonly (string | number)[];

/** Keywords whose value is data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const REFUSED: ReadonlySet<string> = new Set(['patternProperties', '$dynamicRef', '$recursiveRef', '$id', '$anchor']);

/** A copy in which every `pattern` is a format of its own; notes what cannot be used. */
function rewrite(schema: Json, keys: Keys, preparing: Preparing): Json {
  if (Array.isArray(schema)) return schema.map((item: Json, index) => rewrite(item, [...keys, index], preparing));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => {
    const at = [...keys, key];
    note(key, value, { at, preparing });
    if (DATA.has(key)) return [key, value];
    if (!MAPS.has(key) || typeof value !== 'object' || value === null) return [key, rewrite(value, at, preparing)];
    const map = Object.entries(value).map(([name, inner]): [string, Json] => [
      name,
      rewrite(inner as Json, [...at, name], preparing),
    ]);
    return [key, Object.fromEntries(map)];
  });
  return Object.fromEntries(withPattern(entries, preparing));
}

function note(key: string, value: Json, { at, preparing }: { at: Keys; preparing: Preparing }): void {
  const fault = (message: string) => preparing.faults.push({ path: toPointer(at), message });
  if (REFUSED.has(key)) fault(`${key} is not supported`);
  if (key === '$ref' && !leadsSomewhere(value, preparing.root))
    fault('a $ref must lead to a place in the same schema, as in "#/$defs/name"');
  if (key === 'pattern' && typeof value === 'string' && patternFault(value) !== null) fault(`${patternFault(value)}`);
}

/** `pattern` becomes a format that only this schema has; a format beside it is kept by `allOf`. */
function withPattern(entries: [string, Json][], { patterns }: Preparing): [string, Json][] {
  // The validator's own check of `url` takes exponential time on some texts, and is no format of the standard.
  const rest = entries.filter(([key, value]) => key !== 'pattern' && !(key === 'format' && value === 'url'));
  const pattern = entries.find(([key]) => key === 'pattern')?.[1];
  if (typeof pattern !== 'string') return rest;
  const name = `pattern ${pattern}`;
  patterns.set(name, pattern);
  const all = rest.find(([key]) => key === 'allOf')?.[1];
  const others = Array.isArray(all) ? (all as readonly Json[]) : [];
  return [...rest.filter(([key]) => key !== 'allOf'), ['allOf', [...others, { format: name }]]];
}

function leadsSomewhere(ref: Json, root: Json): boolean {
  if (ref === '#') return true;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return false;
  let place: Json | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
    place = (place as { readonly [key: string]: Json })[key];
  }
  return true;
}

function patternFault(pattern: string): string | null {
  try {
    spend(new Meter(), () => matches('', pattern));
    return null;
  } catch (error) {
    return `the pattern cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A text that is too long for the pattern's budget does not fit it. */
function patternHolds(pattern: string, text: string): boolean {
  try {
    return spend(new Meter(), () => matches(text, pattern));
  } catch {
    return false;
  }
}

interface ValidatorError {
  readonly instanceLocation: string;
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly error: string;
}

/** The innermost faults only; of alternatives that there is none that fits. */
function reported(errors: readonly ValidatorError[]): SchemaMismatch[] {
  return errors
    .filter(
      ({ keyword, keywordLocation }) => !CONTAINERS.has(keyword) && !/\/(?:anyOf|oneOf|not)\//.test(keywordLocation),
    )
    .slice(0, MOST_REPORTED)
    .map(({ instanceLocation, keyword, error }) => ({
      path: instanceLocation.slice(1),
      message: worded(keyword, error),
    }));
}

function worded(keyword: string, error: string): string {
  if (keyword === 'false') return 'is not allowed here';
  const pattern = /^String does not match format "pattern (.*)"\.$/su.exec(error)?.[1];
  return pattern === undefined ? error : `String does not match the pattern "${pattern}".`;
}
