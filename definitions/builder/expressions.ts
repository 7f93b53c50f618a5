/**
 * Expressions and texts with typed holes.
 */
import { dottedPath } from './paths.ts';
import { pathText, placeholder, sourceOf, typed } from './reference.ts';
import { celOf } from './render.ts';
import type { AnyValue, Expr, Typed } from './typed.ts';

/**
 * A CEL expression. Holes take references, other expressions (in brackets where they need them), and plain values,
 * which become CEL literals. What it gives is what the place needs, or what is said: `cel<number>`.
 *
 * @example
 * cel`${event.data.company.size} >= ${50} && ${event.data.country} in ${['FR', 'DE']}`
 */
export function cel<T = unknown>(strings: TemplateStringsArray, ...holes: readonly AnyValue[]): Expr<T> {
  const text = strings.map((part, index) => part + (index < holes.length ? celOf(holes[index]) : '')).join('');
  return typed({ kind: 'cel', text: text.trim(), closed: false });
}

/** What can be put into a text. */
type Printable = string | number | boolean | object;

/**
 * A string with references in it. Only what is surely there fits: `null` and absent values have no text.
 *
 * @example
 * text`Any questions, ${event.data.name}?`
 */
export function text(
  strings: TemplateStringsArray,
  ...holes: readonly (Typed<Printable> | string | number)[]
): Expr<string> {
  const parts = strings.map((part, index) => {
    if (index >= holes.length) return literal(part);
    const hole = holes[index];
    const source = sourceOf(hole);
    if (source === undefined) return literal(`${part}${hole as string | number}`);
    return beforeHole(literal(part)) + placeholder(source);
  });
  return typed({ kind: 'text', text: parts.join('') });
}

function literal(part: string): string {
  return part.replaceAll('${', () => '$${');
}

/** A `$` right before `${` would make it a literal one. */
function beforeHole(part: string): string {
  return part.endsWith('$') ? `${part.slice(0, -1)}\${'$'}` : part;
}

/**
 * A value, or `fallback` where any part of the path is absent.
 *
 * @example
 * get(event.data.company.size, 0)
 */
export function get<T, const D extends AnyValue>(
  value: Typed<T>,
  fallback: Typed<D> | D,
): Expr<unknown extends T ? unknown : Exclude<T, undefined> | D> {
  const { head, rest } = split(value, 'get');
  return typed({ kind: 'cel', text: `get(${head}, ${celOf(rest)}, ${celOf(fallback)})`, closed: true });
}

/** Whether a field is there; the rest of its path must be. */
export function has(value: Typed<unknown>): Expr<boolean> {
  const source = sourceOf(value);
  if (source?.kind !== 'path' || source.keys.length < 2) throw new TypeError('`has` takes a reference to a field');
  return typed({ kind: 'cel', text: `has(${pathText(source.keys)})`, closed: true });
}

/** A secret of the worker, put into a payload there: `secret('crm/key')`. */
export function secret(name: string): Expr<string> {
  return typed({ kind: 'secret', name });
}

/** Where the part of a path begins that `get` walks; before it stands what every run has. */
function split(value: Typed<unknown>, what: string): { readonly head: string; readonly rest: string } {
  const source = sourceOf(value);
  if (source?.kind !== 'path' || source.keys.length < 2)
    throw new TypeError(`\`${what}\` takes a reference to a field`);
  const { keys } = source;
  const own = keys[0] === 'nodes' ? 3 : keys[0] === 'event' ? 2 : 1;
  const length = Math.min(own, keys.length - 1);
  return { head: pathText(keys.slice(0, length)), rest: dottedPath(keys.slice(length)) };
}
