/**
 * How faults of form are put into words: of the language, not of the library that finds them.
 */
import type { z } from 'zod';
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { Json } from '../types.ts';
import { suggestion } from '../validation/nearest.ts';
import { editorSchema } from './editor-schema.ts';

export type Fault = z.core.$ZodIssue;

const TYPE_WORDS: { readonly [type: string]: string } = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** What the library calls a type. */
export function typeWord(type: string): string {
  return TYPE_WORDS[type] ?? type;
}

/** What messages call a part: `"nodes"`, `"nodes"[0]`. */
export function nameOf(keys: Keys): string {
  const field = keys.findLastIndex((key) => typeof key === 'string');
  const indexes = keys.slice(field + 1).map((index) => `[${index}]`);
  const holder = field === -1 ? 'the document' : JSON.stringify(keys[field]);
  return `${holder}${indexes.join('')}`;
}

/** What a fault asks for. */
export function wordOf(fault: Fault): string {
  switch (fault.code) {
    case 'invalid_value':
      return `must be ${fault.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_format':
      return 'pattern' in fault && fault.pattern !== undefined ? `must match ${fault.pattern}` : fault.message;
    case 'invalid_key':
      return fault.issues.map((issue) => `the name ${wordOf(issue)}`).join('; ');
    case 'too_small':
      return `must ${bound('at least', fault.origin, fault.minimum)}`;
    case 'too_big':
      return `must ${bound('at most', fault.origin, fault.maximum)}`;
    default:
      return fault.message;
  }
}

/** `be at least 1` of a number; of a text or list, how long it is. */
function bound(which: 'at least' | 'at most', origin: string, limit: number | bigint): string {
  const unit = origin === 'string' ? 'character' : origin === 'array' ? 'item' : null;
  return unit === null ? `be ${which} ${limit}` : `have ${which} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

let fieldNames: ReadonlySet<string> | undefined;

/** The field of the language that was probably meant. */
export function fieldHint(keys: Keys): string {
  fieldNames ??= new Set(namesIn(editorSchema()));
  return suggestion(String(keys.at(-1)), fieldNames);
}

function namesIn(schema: Json): string[] {
  if (isList(schema)) return schema.flatMap(namesIn);
  if (!isObject(schema)) return [];
  const { properties } = schema;
  return [...(isObject(properties) ? Object.keys(properties) : []), ...Object.values(schema).flatMap(namesIn)];
}

/** What a value is, in words. */
export function kindWord(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' ? `the number ${value}` : `${value}`;
}
