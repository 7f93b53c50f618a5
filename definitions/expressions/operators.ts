/**
 * The operators: numbers of JSON (doubles) and integer literals mix, and whatever reads or builds much pays for it.
 *
 * What it is not: a second CEL. Operands that are not numbers or texts go to the library's own overloads.
 *
 * Invariants:
 * 1. Two integers stay integers: `7 / 2 == 3`. One double among them makes the result a double.
 * 2. No cast: a text and a number are unequal, and comparing them with `<` is a fault.
 * 3. Texts are ordered by code point.
 */
import { type CelFunc, type CelValue, CelScalar, celFunc, isCelError, isCelList, isCelMap } from '@bufbuild/cel';
import { compareText } from '../text-order.ts';
import { chargeText, chargeValues } from './budget.ts';
import { Bytes, isArray, min } from '../intrinsics.ts';
import { concatLists, jsonOf, mustBeHere } from './json-values.ts';
import { callLibrary } from './library.ts';
import { OPERATORS } from './rewrite.ts';
import { typeName } from './type-names.ts';

type Operator = (left: CelValue, right: CelValue) => CelValue;

export function operators(): CelFunc[] {
  const table: Readonly<Record<string, Operator>> = {
    '_+_': plus(library('_+_')),
    '_-_': arithmetic((l, r) => l - r, library('_-_')),
    '_*_': arithmetic((l, r) => l * r, library('_*_')),
    '_/_': arithmetic((l, r) => l / r, library('_/_')),
    '_%_': arithmetic(remainder, library('_%_')),
    '_==_': equality(false, library('_==_')),
    '_!=_': equality(true, library('_!=_')),
    '_<_': comparison((l, r) => l < r, library('_<_')),
    '_<=_': comparison((l, r) => l <= r, library('_<=_')),
    '_>_': comparison((l, r) => l > r, library('_>_')),
    '_>=_': comparison((l, r) => l >= r, library('_>=_')),
    '@in': membership(library('@in')),
  };
  const { DYN } = CelScalar;
  return Object.entries(table).map(([name, operator]) =>
    celFunc(OPERATORS.get(name) ?? name, [DYN, DYN], DYN, operator),
  );
}

function library(name: string): Operator {
  return (left, right) => {
    const result = callLibrary(name, left, right);
    if (result === undefined) throw new Error(noOverload(name, left, right));
    if (isCelError(result)) throw result;
    return result;
  };
}

function noOverload(name: string, left: CelValue, right: CelValue): string {
  const sign = name === '@in' ? 'in' : name.replaceAll('_', '');
  return `${typeName(left)} ${sign} ${typeName(right)} has no meaning`;
}

/** The two operands as doubles when one is a double and the other a double or integer. */
function asDoubles(left: CelValue, right: CelValue): [number, number] | null {
  if (typeof left === 'number') {
    if (typeof right === 'number') return [left, right];
    return typeof right === 'bigint' ? [left, Number(right)] : null;
  }
  return typeof left === 'bigint' && typeof right === 'number' ? [Number(left), right] : null;
}

function arithmetic(onDoubles: (left: number, right: number) => number, otherwise: Operator): Operator {
  return (left, right) => {
    const doubles = asDoubles(left, right);
    return doubles === null ? otherwise(left, right) : onDoubles(doubles[0], doubles[1]);
  };
}

function remainder(left: number, right: number): number {
  if (right === 0) throw new Error('remainder of a division by zero');
  return left % right;
}

function comparison(compare: (left: number, right: number) => boolean, otherwise: Operator): Operator {
  return (left, right) => {
    if (typeof left === 'string' && typeof right === 'string') {
      chargeText(min(left.length, right.length));
      return compare(compareText(left, right), 0);
    }
    const doubles = asDoubles(left, right);
    if (doubles !== null) return compare(doubles[0], doubles[1]);
    chargeWeight(left);
    return otherwise(left, right);
  };
}

function plus(otherwise: Operator): Operator {
  const add = arithmetic((l, r) => l + r, otherwise);
  return (left, right) => {
    if (typeof left === 'string' && typeof right === 'string') {
      chargeText(left.length + right.length);
      return left + right;
    }
    if (isCelList(left) && isCelList(right)) return concatLists(left, right);
    if (left instanceof Bytes && right instanceof Bytes) chargeText(left.length + right.length);
    return add(left, right);
  };
}

function equality(negated: boolean, otherwise: Operator): Operator {
  return (left, right) => {
    if (typeof left === 'string' && typeof right === 'string') {
      chargeText(min(left.length, right.length));
      return (left === right) !== negated;
    }
    if (typeof left === 'number' && typeof right === 'number') return (left === right) !== negated;
    if (left !== null && right !== null) {
      mustBeHere(left);
      mustBeHere(right);
    }
    if (typeof left === 'object' && typeof right === 'object') chargeWeight(left);
    return otherwise(left, right);
  };
}

function membership(otherwise: Operator): Operator {
  return (value, container) => {
    mustBeHere(value);
    // Asked here, not in the library, for which a key that holds null is absent.
    if (isCelMap(container)) return hasKey(container, value);
    if (isCelList(container)) chargeWeight(container);
    return otherwise(value, container);
  };
}

/** Whether a map has a key, also one that holds `null`. @throws Error where the value cannot be a key. */
export function hasKey(map: CelValue, key: CelValue): boolean {
  if (!isCelMap(map)) return false;
  if (typeof key === 'object' && !('value' in (key ?? {}))) throw new Error(`${typeName(key)} cannot be a key`);
  return map.get(key as string) !== undefined;
}

/** Pays for every value inside. @throws BudgetSpent */
function chargeWeight(value: unknown): void {
  if (typeof value === 'string') return chargeText(value.length);
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Bytes) return chargeText(value.length);
  const json = jsonOf(value);
  if (json !== undefined) return chargeJson(json);
  if (isCelList(value)) {
    chargeValues(value.size);
    for (const item of value) chargeWeight(item);
  } else if (isCelMap(value)) {
    chargeValues(value.size);
    for (const item of value.values()) chargeWeight(item);
  }
}

function chargeJson(json: unknown): void {
  if (typeof json === 'string') return chargeText(json.length);
  if (typeof json !== 'object' || json === null) return;
  const inside: readonly unknown[] = isArray(json) ? json : Object.values(json);
  chargeValues(inside.length);
  for (const value of inside) chargeJson(value);
}
