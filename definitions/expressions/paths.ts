/**
 * Paths: `event.data.items[0].price` read straight from JSON, without the evaluator.
 *
 * Invariants:
 * 1. Only own keys of objects and own indices of lists are read; a path never reaches a prototype.
 * 2. A path that leads nowhere is a fault that says where it ended, never `undefined` in a result.
 */
import type { CelInput } from '@bufbuild/cel';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { hasOwn, isArray } from '../intrinsics.ts';
import { isKept, isKeptKey, type KeptValue, keptText } from '../json/kept-value.ts';
import { wrap } from './json-values.ts';
import type { Expr } from './syntax.ts';

/** The names in scope of an expression, as plain JSON. Names that are absent or `undefined` are not in scope. */
export interface Names {
  readonly event?: unknown;
  readonly input?: unknown;
  readonly vars?: unknown;
  readonly nodes?: unknown;
  readonly run?: unknown;
  readonly error?: unknown;
  /** The run's own time, milliseconds since 1970; expressions see a CEL timestamp. */
  readonly now?: number;
  /** `item`, `index` and what else a scope adds. */
  readonly [name: string]: unknown;
}

/** A root name, then field names and list indices. */
export type Path = readonly [string, ...(string | number)[]];

/** Names of types: `type(x) == string`. They are not values of the run. */
const TYPE_NAMES = new Set(['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type']);

/**
 * The path that an expression is, if it is one: an identifier with fields and constant indices behind it.
 *
 * @param bound Variables of the loops around it, which are not names of the run.
 */
export function pathOf(expr: Expr, bound: ReadonlySet<string>): Path | null {
  const kind = expr.exprKind;
  if (kind.case === 'identExpr') {
    const name = kind.value.name;
    return bound.has(name) || TYPE_NAMES.has(name) || name === 'google' || name.startsWith('@') ? null : [name];
  }
  if (kind.case === 'selectExpr') {
    if (kind.value.testOnly || kind.value.operand === undefined) return null;
    return extend(pathOf(kind.value.operand, bound), kind.value.field);
  }
  if (kind.case !== 'callExpr' || kind.value.function !== '_[_]') return null;
  const [operand, index] = kind.value.args;
  if (operand === undefined || index === undefined) return null;
  return extend(pathOf(operand, bound), constantIndex(index));
}

function extend(path: Path | null, key: string | number | null): Path | null {
  return path === null || key === null ? null : [...path, key];
}

function constantIndex(expr: Expr): string | number | null {
  if (expr.exprKind.case !== 'constExpr') return null;
  const constant = expr.exprKind.value.constantKind;
  if (constant.case === 'stringValue') return constant.value;
  return constant.case === 'int64Value' ? Number(constant.value) : null;
}

/** The ids of the nodes of a path, one per key. */
export function pathIds(expr: Expr): bigint[] {
  const kind = expr.exprKind;
  const operand =
    kind.case === 'selectExpr' ? kind.value.operand : kind.case === 'callExpr' ? kind.value.args[0] : undefined;
  return operand === undefined ? [expr.id] : [...pathIds(operand), expr.id];
}

/** The JSON at a path, `undefined` where the path leads nowhere. Not for `now`. */
export function readPath(names: Names, path: Path): unknown {
  let value: unknown = names;
  for (const key of path) {
    value = readKey(value, key);
    if (value === undefined) return undefined;
  }
  return value;
}

function readKey(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isArray(value) !== (typeof key === 'number')) return undefined;
  // The fields of a reference are not those of the value that it stands for.
  if (isKeptKey(key) && isKept(value)) return undefined;
  return hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
}

/** The CEL value at a path, `undefined` where it leads nowhere. */
export function readCelPath(names: Names, path: Path): CelInput | undefined {
  if (path[0] === 'now') return path.length === 1 ? readNow(names) : undefined;
  const value = readPath(names, path);
  return value === undefined ? undefined : wrap(value);
}

function readNow(names: Names): CelInput | undefined {
  return names.now === undefined ? undefined : timestampFromMs(names.now);
}

interface Absence {
  readonly message: string;
  readonly at: number;
  /** The value is kept outside the history: whether there is something, nobody can tell here. */
  readonly untold?: true;
}

/** Why a path leads nowhere, in words, and the index of the key at which it ends. */
export function explainAbsence(names: Names, path: Path): Absence {
  let value: unknown = names;
  for (const [at, key] of path.entries()) {
    const next = readKey(value, key);
    if (next === undefined && isKept(value)) return { ...keptAt(value, path, at), untold: true };
    if (next === undefined) return { message: absenceOf(value, path, at), at };
    value = next;
  }
  return { message: `${pathText(path)} is not a value`, at: 0 };
}

function keptAt(kept: KeptValue, path: Path, at: number): Absence {
  return { message: `${pathText([path[0], ...path.slice(1, at)])} is ${keptText(kept)}`, at };
}

function absenceOf(holder: unknown, path: Path, at: number): string {
  const key = path[at] ?? path[0];
  if (at === 0) return `unknown name: ${key}`;
  const parent = pathText([path[0], ...path.slice(1, at)]);
  if (path[0] === 'now') return `now is a timestamp, it has no ${keyText(key)}`;
  if (holder === null || typeof holder !== 'object') return `${parent} is ${kindOf(holder)}, it has no ${keyText(key)}`;
  if (typeof key === 'number' && isArray(holder)) {
    return `index ${key} is outside ${parent}, which has ${holder.length} items`;
  }
  return `field not found: ${keyText(key)} in ${parent}`;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : `a ${typeof value}`;
}

function keyText(key: string | number): string {
  return typeof key === 'number' || !/^[A-Za-z_]\w*$/.test(key) ? JSON.stringify(key) : key;
}

/** A path as it is written: `vars["a.b"].items[0]`. */
export function pathText(path: Path): string {
  const [root, ...keys] = path;
  return keys.reduce<string>(
    (text, key) => (typeof key === 'string' && keyText(key) === key ? `${text}.${key}` : `${text}[${keyText(key)}]`),
    root,
  );
}
