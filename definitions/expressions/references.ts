/**
 * What an expression refers to: the paths that it may read, for the check of names when a definition is validated.
 *
 * What it is not: a check. It does not know which names exist.
 *
 * Invariants:
 * 1. Every read of a name of the run is in the list once per place, longest path first known: `nodes.a.output.x` is one
 *    reference, not four. A path ends where an index is computed.
 * 2. `guarded` is true only where an absent field cannot be a fault at that place.
 */
import { type Path, pathOf } from './paths.ts';
import { isGet, isNamespaced } from './rewrite.ts';
import { type Call, type Comprehension, childrenOf, type Expr, type SyntaxTree } from './syntax.ts';

/** One path that an expression or template may read. */
export interface Reference {
  /** `['nodes', 'assign', 'output', 'ownerId']`; list indices as text. */
  readonly path: readonly string[];
  /** Inside `has(…)` or `get(…)`, or read only where a `has(…)` has said yes. */
  readonly guarded: boolean;
  /** Position in `text` where the path begins. */
  readonly offset: number;
  /** The expression; for a template, the whole string at `pointer`. */
  readonly text: string;
  /** JSON pointer inside the template, `""` for a bare expression. */
  readonly pointer: string;
}

/** Variables of loops around a place, and the paths known to be present there. */
interface Place {
  readonly bound: ReadonlySet<string>;
  readonly present: readonly Path[];
}

export function referencesOf(tree: SyntaxTree): Reference[] {
  const found: Reference[] = [];
  visit(tree.root, { bound: new Set(), present: [] }, (path, guarded, expr) => {
    const offset = tree.offsetOf(rootOf(expr).id);
    found.push({ path: path.map(String), guarded, offset, text: tree.text, pointer: '' });
  });
  return found;
}

type Report = (path: Path, guarded: boolean, expr: Expr) => void;

function visit(expr: Expr, place: Place, report: Report): void {
  const path = pathOf(expr, place.bound);
  if (path !== null) {
    report(
      path,
      place.present.some((known) => startsWith(path, known)),
      expr,
    );
    return;
  }
  const tested = testedPath(expr, place.bound);
  if (tested !== null) {
    report(tested, true, expr);
    return;
  }
  if (expr.exprKind.case === 'callExpr') visitCall(expr.exprKind.value, place, report);
  else if (expr.exprKind.case === 'comprehensionExpr') visitLoop(expr.exprKind.value, place, report);
  else for (const child of childrenOf(expr)) visit(child, place, report);
}

function visitCall(call: Call, place: Place, report: Report): void {
  const [first, second, third] = call.args;
  if (isNamespaced(call)) {
    for (const arg of call.args) visit(arg, place, report);
  } else if (isGet(call) && first && second) {
    visitGet([first, second], place, report);
    if (third) visit(third, place, report);
  } else if (call.function === '_?_:_' && first && second && third) {
    visit(first, place, report);
    visit(second, knowing(place, presentWhen(first, true, place.bound)), report);
    visit(third, knowing(place, presentWhen(first, false, place.bound)), report);
  } else if ((call.function === '_&&_' || call.function === '_||_') && first && second) {
    // Both sides guard each other: CEL forgives a fault on one side when the other decides.
    const decided = call.function === '_&&_';
    visit(first, knowing(place, presentWhen(second, decided, place.bound)), report);
    visit(second, knowing(place, presentWhen(first, decided, place.bound)), report);
  } else {
    for (const child of [...(call.target ? [call.target] : []), ...call.args]) visit(child, place, report);
  }
}

function visitGet([value, keys]: readonly [Expr, Expr], place: Place, report: Report): void {
  const path = pathOf(value, place.bound);
  if (path === null) {
    visit(value, place, report);
    visit(keys, place, report);
    return;
  }
  const text = textConstant(keys);
  report(text === null ? path : [...path, ...text.split('.')], true, value);
  if (text === null) visit(keys, place, report);
}

function visitLoop(loop: Comprehension, place: Place, report: Report): void {
  if (loop.iterRange) visit(loop.iterRange, place, report);
  const inside = { ...place, bound: new Set([...place.bound, loop.iterVar]) };
  for (const part of [loop.accuInit, loop.loopCondition, loop.loopStep, loop.result]) {
    if (part) visit(part, inside, report);
  }
}

/** The path inside `has(…)`. */
function testedPath(expr: Expr, bound: ReadonlySet<string>): Path | null {
  if (expr.exprKind.case !== 'selectExpr' || !expr.exprKind.value.testOnly) return null;
  const { operand, field } = expr.exprKind.value;
  const path = operand === undefined ? null : pathOf(operand, bound);
  return path === null ? null : [...path, field];
}

/** The paths that are present for certain when `condition` has come out as `outcome`. */
function presentWhen(condition: Expr, outcome: boolean, bound: ReadonlySet<string>): Path[] {
  const tested = testedPath(condition, bound);
  if (tested !== null) return outcome ? [tested] : [];
  if (condition.exprKind.case !== 'callExpr') return [];
  const { function: name, args } = condition.exprKind.value;
  if (name === '!_') return args.flatMap((arg) => presentWhen(arg, !outcome, bound));
  if (name === (outcome ? '_&&_' : '_||_')) return args.flatMap((arg) => presentWhen(arg, outcome, bound));
  return [];
}

function knowing(place: Place, present: Path[]): Place {
  return present.length === 0 ? place : { ...place, present: [...place.present, ...present] };
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((key, at) => key === path[at]);
}

function textConstant(expr: Expr): string | null {
  if (expr.exprKind.case !== 'constExpr') return null;
  const constant = expr.exprKind.value.constantKind;
  return constant.case === 'stringValue' ? constant.value : null;
}

function rootOf(expr: Expr): Expr {
  const [first] = childrenOf(expr);
  return first === undefined ? expr : rootOf(first);
}
