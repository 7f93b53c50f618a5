/**
 * Writes values of the builder down: as templates of a definition, or as text of an expression.
 *
 * Invariants:
 * 1. Plain JSON comes out as it went in; fields that are `undefined` are left out.
 */
import { setOwn } from '../json/set-own.ts';
import type { Json } from '../types.ts';
import { dottedPath } from './paths.ts';
import { pathText, placeholder, sourceOf } from './reference.ts';

/** A value as a template. */
export function templateOf(value: unknown): Json {
  const source = sourceOf(value);
  if (source?.kind === 'secret') return { $secret: source.name };
  if (source !== undefined) return placeholder(source);
  if (typeof value === 'function') throw new TypeError('a function is no value of a definition');
  if (typeof value !== 'object' || value === null) return value as Json;
  if (Array.isArray(value)) return value.map(templateOf);
  const object: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined) setOwn(object, key, templateOf(part));
  }
  return object;
}

/** A condition or list as bare CEL: a plain string is that text already. */
export function expressionOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const source = sourceOf(value);
  if (source?.kind === 'path') return pathText(source.keys);
  if (source?.kind === 'cel') return source.text;
  return celOf(value);
}

/** A value inside an expression. */
export function celOf(value: unknown): string {
  const source = sourceOf(value);
  if (source?.kind === 'path') return pathText(source.keys);
  if (source?.kind === 'cel') return source.closed ? source.text : `(${source.text})`;
  if (source !== undefined) throw new TypeError('a text or secret cannot stand in an expression; write it in CEL');
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(celOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, part]) => `${quoted(key)}: ${celOf(part)}`);
    return `{${fields.join(', ')}}`;
  }
  return String(value);
}

/** A path for `redact`. */
export function redactedPath(value: unknown): string {
  const source = sourceOf(value);
  return source?.kind === 'path' ? dottedPath(source.keys) : String(value);
}

/** Single quotes, which need no escape inside JSON, wherever they can hold the text. */
const PLAIN_TEXT = /^[^'\\\p{Cc}]*$/u;

function quoted(text: string): string {
  return PLAIN_TEXT.test(text) ? `'${text}'` : JSON.stringify(text);
}
