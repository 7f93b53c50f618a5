/**
 * From the tree that was written to the tree that is run.
 *
 * What changes, and why:
 * - a path such as `event.data.size` becomes one name, which is read straight from JSON;
 * - an operator becomes our own function of the same meaning that mixes JSON numbers with integer literals and pays
 *   for what it reads and builds;
 * - `matches` with a constant pattern becomes a function that has the pattern compiled already;
 * - `has(x.y)` becomes a function for which a field that holds `null` is present;
 * - a loop pays for the length of what it walks, and for every turn.
 *
 * Invariants:
 * 1. A rewritten node keeps the id of the node that it stands for, so that faults keep their position.
 * 2. New names begin with `@`, which no expression can write.
 */
import { type Path, pathIds, pathOf, pathText } from './paths.ts';
import { type Call, type Comprehension, childrenOf, type Expr, type Kind } from './syntax.ts';

/** One path of an expression. */
export interface PathRead {
  /** The name that stands for it. */
  readonly name: string;
  readonly path: Path;
  /** Ids of the nodes that it stands for, one per key. */
  readonly ids: readonly bigint[];
  /** Inside `get(…)`, where a path that leads nowhere is no fault. */
  readonly optional: boolean;
}

export interface Rewritten {
  readonly root: Expr;
  readonly reads: readonly PathRead[];
}

/** Operators that `operators.ts` defines anew, under these names. */
export const OPERATORS: ReadonlyMap<string, string> = new Map(
  ['_+_', '_-_', '_*_', '_/_', '_%_', '_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in'].map((name) => [
    name,
    `@op ${name}`,
  ]),
);

export const HAS = '@has';
export const MATCHES = '@matches';
export const TURN = '@turn';
export const RANGE = '@range';

type Bound = ReadonlySet<string>;
const NOTHING_BOUND: Bound = new Set();

export function rewrite(root: Expr): Rewritten {
  const reads = new Map<string, PathRead>();
  return { root: new Rewriter(reads).expr(root, NOTHING_BOUND), reads: [...reads.values()] };
}

class Rewriter {
  readonly #reads: Map<string, PathRead>;

  constructor(reads: Map<string, PathRead>) {
    this.#reads = reads;
  }

  expr(expr: Expr, bound: Bound): Expr {
    const path = pathOf(expr, bound);
    return path === null ? { ...expr, exprKind: this.#kind(expr, bound) } : this.#read(expr, path, false);
  }

  #read(expr: Expr, path: Path, optional: boolean): Expr {
    // The same path at two places is two reads: each has its own position.
    const key = `${pathText(path)} ${expr.id}`;
    const known = this.#reads.get(key) ?? { name: `@${this.#reads.size}`, path, ids: pathIds(expr), optional };
    this.#reads.set(key, known);
    return { ...expr, exprKind: { case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name: known.name } } };
  }

  #kind(expr: Expr, bound: Bound): Kind {
    const kind = expr.exprKind;
    switch (kind.case) {
      case 'selectExpr':
        return this.#select(expr, kind, bound);
      case 'callExpr':
        return { case: 'callExpr', value: this.#call(kind.value, bound) };
      case 'listExpr':
        return {
          case: 'listExpr',
          value: { ...kind.value, elements: kind.value.elements.map((e) => this.expr(e, bound)) },
        };
      case 'structExpr':
        return this.#struct(kind, bound);
      case 'comprehensionExpr':
        return { case: 'comprehensionExpr', value: this.#loop(expr, kind.value, bound) };
      default:
        return kind;
    }
  }

  #select(expr: Expr, kind: Extract<Kind, { case: 'selectExpr' }>, bound: Bound): Kind {
    const { operand, field, testOnly } = kind.value;
    if (operand === undefined) return kind;
    const target = this.expr(operand, bound);
    return testOnly
      ? callOf(HAS, [target, textOf(expr, field)])
      : { case: 'selectExpr', value: { ...kind.value, operand: target } };
  }

  #call(call: Call, bound: Bound): Call {
    if (isNamespaced(call)) return { ...call, args: call.args.map((arg) => this.expr(arg, bound)) };
    const args = call.args.map((arg, at) =>
      at === 0 && isGet(call) ? this.#optional(arg, bound) : this.expr(arg, bound),
    );
    const name = constantPattern(call) === null ? (OPERATORS.get(call.function) ?? call.function) : MATCHES;
    return call.target === undefined
      ? { ...call, function: name, args }
      : { ...call, function: name, args, target: this.expr(call.target, bound) };
  }

  #optional(expr: Expr, bound: Bound): Expr {
    const path = pathOf(expr, bound);
    return path === null ? this.expr(expr, bound) : this.#read(expr, path, true);
  }

  #struct(kind: Extract<Kind, { case: 'structExpr' }>, bound: Bound): Kind {
    const entries = kind.value.entries.map((entry) => ({
      ...entry,
      ...(entry.value === undefined ? {} : { value: this.expr(entry.value, bound) }),
      keyKind:
        entry.keyKind.case === 'mapKey'
          ? { case: 'mapKey' as const, value: this.expr(entry.keyKind.value, bound) }
          : entry.keyKind,
    }));
    return { case: 'structExpr', value: { ...kind.value, entries } };
  }

  #loop(expr: Expr, loop: Comprehension, bound: Bound): Comprehension {
    const { iterRange, accuInit, loopCondition, loopStep, result } = loop;
    if (!iterRange || !accuInit || !loopCondition || !loopStep || !result) return loop;
    const inside = new Set([...bound, loop.iterVar]);
    const condition = this.expr(loopCondition, inside);
    return {
      ...loop,
      iterRange: { ...iterRange, exprKind: callOf(RANGE, [this.expr(iterRange, bound)]) },
      accuInit: this.expr(accuInit, bound),
      // A turn that cannot be paid for is an error in the condition, which ends the loop at once.
      loopCondition: {
        ...condition,
        exprKind: callOf('_?_:_', [
          { ...expr, exprKind: callOf(TURN, [integerOf(expr, parts(loopStep))]) },
          condition,
          condition,
        ]),
      },
      loopStep: this.expr(loopStep, inside),
      result: this.expr(result, bound),
    };
  }
}

/** `strings.quote(x)`: the target is a namespace, not a value. */
export function isNamespaced(call: Call): boolean {
  return (
    call.target?.exprKind.case === 'identExpr' &&
    call.target.exprKind.value.name === 'strings' &&
    call.function === 'quote'
  );
}

/** `get(value, path, default)`. */
export function isGet(call: Call): boolean {
  return call.function === 'get' && call.target === undefined && call.args.length === 3;
}

/** The pattern of `value.matches("…")` that stands in the expression itself. */
export function constantPattern(call: Call): string | null {
  const [pattern] = call.args;
  if (call.function !== 'matches' || call.target === undefined || pattern?.exprKind.case !== 'constExpr') return null;
  const { constantKind } = pattern.exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : null;
}

/** How many nodes one turn of a loop evaluates; loops inside pay for themselves. */
function parts(expr: Expr): number {
  if (expr.exprKind.case === 'comprehensionExpr') return 1;
  return childrenOf(expr).reduce((sum, child) => sum + parts(child), 1);
}

function callOf(name: string, args: Expr[]): Kind {
  return { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } };
}

function textOf(expr: Expr, value: string): Expr {
  return constant(expr, { case: 'stringValue', value });
}

function integerOf(expr: Expr, value: number): Expr {
  return constant(expr, { case: 'int64Value', value: BigInt(value) });
}

type ConstantKind = Extract<Kind, { case: 'constExpr' }>['value']['constantKind'];

function constant(expr: Expr, constantKind: ConstantKind): Expr {
  return { ...expr, exprKind: { case: 'constExpr', value: { $typeName: 'cel.expr.Constant', constantKind } } };
}
