/**
 * The functions that expressions have: CEL, its strings extension, and `get`.
 *
 * Invariants:
 * 1. Nothing here reads a clock, a random number, the host's time zone or its locale.
 * 2. Whatever can be slow or large pays for it (`budget.ts`).
 */
import {
  type CelEnv,
  type CelFunc,
  type CelMap,
  type CelValue,
  CelScalar,
  celEnv,
  celFunc,
  celMethod,
  isCelList,
  isCelMap,
  mapType,
} from '@bufbuild/cel';
import { chargeTurn, chargeValues } from './budget.ts';
import { numberFunctions } from './numbers.ts';
import { hasKey, operators } from './operators.ts';
import { matches, matchesConstant } from './patterns.ts';
import { HAS, MATCHES, RANGE, TURN } from './rewrite.ts';
import { stringFunctions } from './strings.ts';
import { timeFunctions } from './times.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;
const MAP = mapType(DYN, DYN);

export const environment: CelEnv = celEnv({
  funcs: [
    ...operators(),
    ...numberFunctions(),
    ...stringFunctions(),
    ...timeFunctions(),
    celFunc('get', [DYN, STRING, DYN], DYN, get),
    celFunc(HAS, [DYN, STRING], BOOL, hasKey),
    celMethod(MATCHES, STRING, [STRING], BOOL, function (pattern) {
      return matchesConstant(this, pattern);
    }),
    celFunc('size', [MAP], INT, sizeOf),
    celMethod('size', MAP, [], INT, function () {
      return sizeOf(this);
    }),
    celFunc(TURN, [INT], BOOL, turn),
    celFunc(RANGE, [DYN], DYN, range),
  ],
  re2: { compile: (pattern) => ({ test: (text) => matches(text, pattern) }) },
});

/** The number of keys; counting them is a walk over the object. */
function sizeOf(map: CelMap): bigint {
  const { size } = map;
  chargeValues(size);
  return BigInt(size);
}

/** One turn of a loop. Always true; a turn that cannot be paid for throws. */
function turn(parts: bigint): boolean {
  chargeTurn(Number(parts));
  return true;
}

/** What a loop walks: the loop copies it before its first turn. */
function range(walked: CelValue): CelValue {
  if (isCelMap(walked) || isCelList(walked)) chargeValues(walked.size);
  return walked;
}

/** The value at a path of names and list positions, `fallback` where the path leads nowhere. */
function get(value: CelValue, path: string, fallback: CelValue): CelValue {
  let found: CelValue | undefined = value;
  for (const key of path.split('.')) {
    if (isCelMap(found)) found = found.get(key);
    else if (isCelList(found) && /^\d{1,9}$/.test(key)) found = found.get(Number(key));
    else return fallback;
  }
  return found === undefined ? fallback : found;
}

/** Names of functions that expressions can call, with the numbers of arguments they take. */
export function functionNames(): ReadonlyMap<string, readonly { readonly method: boolean; readonly arity: number }[]> {
  const names = new Map<string, { method: boolean; arity: number }[]>();
  for (const fn of environment.funcs as Iterable<CelFunc>) {
    const known = names.get(fn.name) ?? [];
    names.set(fn.name, [...known, { method: fn.target !== undefined, arity: fn.arguments.length }]);
  }
  return names;
}
