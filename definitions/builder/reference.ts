/**
 * References: paths such as `event.data.id`, as objects whose properties are longer paths.
 *
 * Invariants:
 * 1. Every property of a reference is a reference, whatever its name: the types alone know which fields there are.
 * 2. A reference put into a plain template literal gives its `${…}`.
 */
import { RESERVED_WORDS } from '../expressions/reserved-words.ts';
import type { Ref, Typed } from './typed.ts';

/** What stands behind a reference or an expression. */
export type Source =
  | { readonly kind: 'path'; readonly keys: readonly Key[] }
  /** `closed`: it can stand inside another expression as it is. */
  | { readonly kind: 'cel'; readonly text: string; readonly closed: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret'; readonly name: string };

export type Key = string | number;

const SOURCES = new WeakMap<object, Source>();

/** Gives the source of a reference or expression; `undefined` for any other value. */
export function sourceOf(value: unknown): Source | undefined {
  return typeof value === 'object' && value !== null ? SOURCES.get(value) : undefined;
}

export function typed<T>(source: Source): Typed<T> {
  const target = Object.freeze({});
  const marked = new Proxy(target, {
    get: (_, key) => {
      if (typeof key === 'string' && source.kind === 'path')
        return typed({ kind: 'path', keys: [...source.keys, key] });
      return key === Symbol.toPrimitive ? () => placeholder(source) : undefined;
    },
  });
  SOURCES.set(marked, source);
  return marked as Typed<T>;
}

/** Every name that an expression can read. */
export const NAMES: object = new Proxy(
  {},
  { get: (_, name) => (typeof name === 'string' ? typed({ kind: 'path', keys: [name] }) : undefined) },
);

/**
 * An item of a list, or a field of which the compiler cannot know: of a map, or of a node that a loop has run before.
 *
 * @example
 * at(input.lines, 0); // it may be absent: `get(at(input.lines, 0).sku, 'none')`
 * at<string>(nodes, 'review', 'output', 'data', 'reason');
 */
export function at<Item>(list: Typed<readonly Item[] | undefined>, index: number): Ref<Item | undefined>;
export function at<T = unknown>(value: object, ...keys: readonly Key[]): Ref<T>;
export function at(value: object, ...keys: readonly Key[]): unknown {
  const source = sourceOf(value);
  if (source?.kind !== 'path') throw new TypeError('`at` goes on from a reference, not from an expression');
  return typed({ kind: 'path', keys: [...source.keys, ...keys] });
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A path as CEL reads it. */
export function pathText([root = '', ...keys]: readonly Key[]): string {
  const steps = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    return NAME.test(key) && !RESERVED_WORDS.has(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return `${root}${steps.join('')}`;
}

/** As it stands in a string of a template. */
export function placeholder(source: Source): string {
  if (source.kind === 'path') return `\${${pathText(source.keys)}}`;
  if (source.kind === 'cel') return `\${${source.text}}`;
  if (source.kind === 'text') return source.text;
  throw new TypeError(`the secret ${source.name} must be a value of its own, not part of a text`);
}
