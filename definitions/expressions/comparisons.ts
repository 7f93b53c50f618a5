/**
 * Comparisons of a path with constant texts: `event.type == "order.paid"`, `nodes.ask.outcome in ["yes", "no"]`.
 *
 * What it is: what an author can be told about branches that nothing takes. What it is not: every way to compare.
 */
import { type Path, pathOf } from './paths.ts';
import { ExpressionSyntaxError } from './syntax-error.ts';
import { childrenOf, type Expr, parseExpression } from './syntax.ts';

export interface TextComparison {
  readonly path: readonly string[];
  readonly texts: readonly string[];
}

/** The comparisons in an expression; none in one that does not parse. */
export function comparisonsOf(text: string): readonly TextComparison[] {
  const found: TextComparison[] = [];
  try {
    visit(parseExpression(text).root, new Set(), found);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
  }
  return found;
}

function visit(expr: Expr, bound: ReadonlySet<string>, found: TextComparison[]): void {
  const kind = expr.exprKind;
  if (kind.case === 'callExpr') {
    const [left, right] = kind.value.args;
    const { function: name } = kind.value;
    const isEquality = name === '_==_' || name === '_!=_';
    if (left && right && (isEquality || name === '@in')) add([left, right], bound, found);
    if (left && right && isEquality) add([right, left], bound, found);
  }
  const inside = kind.case === 'comprehensionExpr' ? new Set([...bound, kind.value.iterVar]) : bound;
  for (const child of childrenOf(expr)) visit(child, inside, found);
}

function add([left, right]: readonly [Expr, Expr], bound: ReadonlySet<string>, found: TextComparison[]): void {
  const path: Path | null = pathOf(left, bound);
  const texts = textsOf(right);
  if (path !== null && texts.length > 0) found.push({ path: path.map(String), texts });
}

function textsOf({ exprKind: kind }: Expr): readonly string[] {
  if (kind.case === 'listExpr') return kind.value.elements.flatMap(textsOf);
  if (kind.case !== 'constExpr') return [];
  const constant = kind.value.constantKind;
  return constant.case === 'stringValue' ? [constant.value] : [];
}
