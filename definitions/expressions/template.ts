/**
 * Value templates: JSON whose strings may hold `${ … }`.
 *
 * - A string that is exactly one `${…}` becomes the result, with its type.
 * - In other strings a result is put into the text: a string as it is; a number, boolean, list or object as its JSON;
 *   a timestamp or duration as its text. `null` has no text and is a fault, as an absent field is: "Hello null" helps nobody.
 * - `$${` is a literal `${`. Keys of objects are never expressions.
 *
 * Invariants:
 * 1. A template without `${…}` is constant and evaluates to the same value every time, at no cost.
 * 2. Key order and own keys such as `__proto__` come out as they stand in the template.
 * 3. The whole result shares one {@link Room}: many small expressions cannot build a huge value.
 */
import { RunError } from '../errors.ts';
import { isList } from '../json/json-kinds.ts';
import { findKept, keptText } from '../json/kept-value.ts';
import { toPointer } from '../json/path.ts';
import { setOwn } from '../json/set-own.ts';
import type { Json, JsonObject } from '../types.ts';
import type { Meter } from './budget.ts';
import { compileEvaluable, type Evaluable } from './expression.ts';
import type { Names } from './paths.ts';
import { RecentCache } from './recent-cache.ts';
import type { Reference } from './references.ts';
import { inRoom, type Room } from './results.ts';
import { ExpressionSyntaxError } from './syntax-error.ts';
import { splitTemplate, type TextPart } from './template-text.ts';

export interface CompiledTemplate {
  readonly references: readonly Reference[];
  /** Whether it holds no expression at all. */
  readonly constant: boolean;
  /**
   * @param meter Gets the steps of every expression added.
   * @throws RunError `EXPRESSION_ERROR`, details `{ expression, offset, pointer }`.
   */
  evaluate(names: Names, meter: Meter): Json;
}

interface Scope {
  readonly names: Names;
  readonly meter: Meter;
  readonly room: Room;
}

/** One value of a template: either a constant or a way to build it. */
type Part = { readonly constant: Json } | { readonly build: (scope: Scope) => Json };

const CACHED_TEXTS = 2000;
const byText = new RecentCache<CompiledTemplate>(CACHED_TEXTS);
const byObject = new WeakMap<object, CompiledTemplate>();

/**
 * Compiles a template, or finds it compiled. Objects are known by identity, so they must not change.
 *
 * @throws ExpressionSyntaxError
 */
export function compileTemplate(template: Json): CompiledTemplate {
  if (typeof template === 'string') return byText.get(template, compile);
  if (typeof template !== 'object' || template === null) return compile(template);
  const known = byObject.get(template);
  if (known !== undefined) return known;
  const compiled = compile(template);
  byObject.set(template, compiled);
  return compiled;
}

function compile(template: Json): CompiledTemplate {
  const references: Reference[] = [];
  const part = compilePart(template, '', references);
  if ('constant' in part) return { references, constant: true, evaluate: () => part.constant };
  return {
    references,
    constant: false,
    evaluate: (names, meter) => inRoom(meter, (room) => part.build({ names, meter, room })),
  };
}

function compilePart(template: Json, pointer: string, references: Reference[]): Part {
  if (typeof template === 'string') return compileText(template, pointer, references);
  if (typeof template !== 'object' || template === null) return { constant: template };
  if (!isList(template)) return compileObject(template, pointer, references);
  return compileList(
    template,
    template.map((item, at) => compilePart(item, pointer + toPointer([at]), references)),
  );
}

function compileList(template: readonly Json[], parts: Part[]): Part {
  if (parts.every((part) => 'constant' in part)) {
    const items = parts.map((part) => part.constant);
    return { constant: items.every((item, at) => item === template[at]) ? template : items };
  }
  return { build: (scope) => parts.map((part) => valueOf(part, scope)) };
}

function compileObject(template: JsonObject, pointer: string, references: Reference[]): Part {
  const keys = Object.keys(template);
  const parts = keys.map((key): Part => {
    return compilePart(template[key] ?? null, pointer + toPointer([key]), references);
  });
  const build = (scope: Scope | null): Json => {
    const object: Record<string, Json> = {};
    for (const [at, key] of keys.entries()) setOwn(object, key, valueOf(parts[at] ?? { constant: null }, scope));
    return object;
  };
  if (!parts.every((part) => 'constant' in part)) return { build };
  const unchanged = parts.every((part, at) => part.constant === (template[keys[at] ?? ''] ?? null));
  return { constant: unchanged ? template : build(null) };
}

function valueOf(part: Part, scope: Scope | null): Json {
  if ('constant' in part || scope === null) return 'constant' in part ? part.constant : null;
  return part.build(scope);
}

function compileText(text: string, pointer: string, references: Reference[]): Part {
  const parts = placed({ pointer, text, offset: 0 }, () => splitTemplate(text)).map((part) =>
    compileTextPart(part, { text, pointer }, references),
  );
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    return typeof only === 'string' ? { constant: only } : { build: (scope) => run(only, scope, pointer) };
  }
  return {
    build: (scope) => {
      let result = '';
      for (const part of parts) result += typeof part === 'string' ? part : textOf(part, scope, pointer);
      return result;
    },
  };
}

function compileTextPart(
  part: TextPart,
  at: { text: string; pointer: string },
  references: Reference[],
): string | Evaluable {
  if (part.kind === 'literal') return part.text;
  const compiled = placed({ ...at, offset: part.offset }, () => compileEvaluable(part.text));
  for (const reference of compiled.references) {
    references.push({ ...reference, offset: reference.offset + part.offset, text: at.text, pointer: at.pointer });
  }
  return compiled;
}

/** Moves the position of a syntax error from the expression to the template. */
function placed<T>(
  at: { readonly pointer: string; readonly text: string; readonly offset: number },
  compileIt: () => T,
): T {
  try {
    return compileIt();
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw new ExpressionSyntaxError(error.message, { ...at, offset: error.offset + at.offset });
  }
}

function run(expression: Evaluable, scope: Scope, pointer: string): Json {
  try {
    return expression.evaluateInto(scope.names, scope.meter, scope.room);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw new RunError(error.type, error.message, { ...(error.details as object), pointer });
  }
}

function textOf(expression: Evaluable, scope: Scope, pointer: string): string {
  const value = run(expression, scope, pointer);
  if (typeof value === 'string') return value;
  const kept = findKept(value);
  if (value !== null && kept === null) return JSON.stringify(value);
  const why =
    kept === null
      ? `null has no text (in \`${expression.text}\`); choose one: \`value == null ? "" : value\``
      : `no text can be made of \`${expression.text}\`: a value in it is ${keptText(kept)}`;
  throw new RunError('EXPRESSION_ERROR', why, { expression: expression.text, offset: 0, pointer });
}
