/**
 * Values of a definition as TypeScript: JSON as it is, templates with references where their paths are known.
 */
import { splitTemplate, type TextPart } from '../../expressions/index.ts';
import { isList, isObject } from '../../json/json-kinds.ts';
import type { Json } from '../../types.ts';
import { pathText } from '../reference.ts';
import { around, type Code } from './layout.ts';

/** What can be read where a value stands, and what the source has used of it. */
export interface Scope {
  /** Whether a path can be read as a property: its name is there, and its node comes before. */
  knows(keys: readonly string[]): boolean;
  /** What must be imported. */
  readonly imports: Set<string>;
}

/** JSON as a literal of TypeScript. */
export function literal(value: Json): Code {
  return written(value, quoted);
}

/** A template, as it is or as a function of the names that it reads. */
export function template(value: Json, scope: Scope): Code {
  return record([], { scope, only: value });
}

/** A field of an object: plain JSON, or a template. */
export type Field = readonly [name: string, kind: 'json' | 'template', value: Json | undefined];

/** An object of some fields, as a function of the names that its templates read. */
export function record(fields: readonly Field[], { scope, only }: { scope: Scope; only?: Json }): Code {
  const names = new Set<string>();
  const text = (value: string): string => textCode(value, scope, names);
  const parts = fields.flatMap(([name, kind, value]) => {
    if (value === undefined) return [];
    return [around(`${keyText(name)}: `, kind === 'json' ? literal(value) : written(value, text))];
  });
  const code: Code = only === undefined ? { open: '{', parts, close: '}', spaced: true } : written(only, text);
  return names.size === 0 ? code : fromNames(code, names);
}

/** `({ event, nodes }) => code` */
function fromNames(code: Code, names: ReadonlySet<string>): Code {
  const isObjectLiteral = typeof code !== 'string' && 'open' in code && code.open === '{';
  const before = `({ ${[...names].toSorted().join(', ')} }) => `;
  return isObjectLiteral ? around(`${before}(`, code, ')') : around(before, code);
}

function written(value: Json, text: (text: string) => string): Code {
  if (typeof value === 'string') return text(value);
  if (isList(value)) return { open: '[', parts: value.map((item) => written(item, text)), close: ']' };
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => around(`${keyText(key)}: `, written(part, text)));
  return { open: '{', parts, close: '}', spaced: true };
}

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export function keyText(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return NAME.test(key) ? key : quoted(key);
}

/** Without what single quotes would have to escape. */
const PLAIN = /^[^'\\\p{Cc}\u2028\u2029]*$/u;

export function quoted(text: string): string {
  return PLAIN.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** A string of a template: a reference or expression, a `text` of them, or the string itself. */
function textCode(text: string, scope: Scope, names: Set<string>): string {
  const parts = partsOf(text);
  if (parts === null) return quoted(text);
  const holes = parts.map((part) => (part.kind === 'literal' ? escaped(part.text) : hole(part.text, scope, names)));
  if (parts.length === 1) return holes.join('');
  scope.imports.add('text');
  return `text\`${parts.map((part, index) => (part.kind === 'literal' ? holes[index] : `\${${holes[index]}}`)).join('')}\``;
}

/** An expression: a reference where it is a path that can be read, else its CEL. */
function hole(text: string, scope: Scope, names: Set<string>): string {
  const path = pathOf(text);
  const [root = ''] = path ?? [];
  if (path !== null && scope.knows(path)) {
    names.add(root);
    return text;
  }
  scope.imports.add('cel');
  return `cel\`${escaped(text)}\``;
}

function escaped(part: string): string {
  return part.replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`).replaceAll('\r', '\\r');
}

/** The parts of a string with expressions that the builder would write in the same way; else `null`. */
function partsOf(text: string): readonly TextPart[] | null {
  if (!text.includes('${')) return null;
  const parts = splitTemplate(text);
  if (!parts.some(({ kind }) => kind === 'expression')) return null;
  const spelt = parts.map((part, index) => {
    if (part.kind === 'expression') return part.text === part.text.trim() ? `\${${part.text}}` : null;
    const isLast = index === parts.length - 1;
    return part.text.endsWith('$') && !isLast ? null : part.text.replaceAll('${', () => '$${');
  });
  return !spelt.includes(null) && spelt.join('') === text ? parts : null;
}

const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** The names of a plain path such as `event.data.id`; `null` for any other expression. */
function pathOf(text: string): readonly string[] | null {
  if (!PATH.test(text)) return null;
  const keys = text.split('.');
  return pathText(keys) === text ? keys : null;
}
