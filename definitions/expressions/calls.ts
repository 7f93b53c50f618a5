/** Checks at compile time that every call names a function that exists and takes that many arguments. */
import { reasonOf } from '../reason-of.ts';
import { functionNames } from './environment.ts';
import { compilePattern } from './patterns.ts';
import { constantPattern, isNamespaced } from './rewrite.ts';
import { ExpressionSyntaxError } from './syntax-error.ts';
import { type Call, childrenOf, type Expr, type SyntaxTree } from './syntax.ts';

/** Written as operators, or made by the parser from macros. */
const BUILT_IN = /^(?:[@_!-]|\?)/;
const MACROS = new Set(['has', 'all', 'exists', 'exists_one', 'map', 'filter']);

let signatures: ReturnType<typeof functionNames> | undefined;

/** @throws ExpressionSyntaxError */
export function checkCalls(tree: SyntaxTree): void {
  signatures ??= functionNames();
  checkExpr(tree, tree.root);
}

function checkExpr(tree: SyntaxTree, expr: Expr): void {
  if (expr.exprKind.case === 'callExpr') {
    const problem = problemOf(expr.exprKind.value);
    if (problem !== null) throw new ExpressionSyntaxError(problem, { offset: tree.offsetOf(expr.id), text: tree.text });
  }
  for (const child of childrenOf(expr)) checkExpr(tree, child);
}

function problemOf(call: Call): string | null {
  if (BUILT_IN.test(call.function)) return null;
  if (isNamespaced(call)) return call.args.length === 1 ? null : 'strings.quote takes one argument';
  const known = signatures?.get(call.function);
  if (known === undefined) {
    return MACROS.has(call.function)
      ? `${call.function} is not called like this`
      : `unknown function: ${call.function}`;
  }
  const method = call.target !== undefined;
  const fitting = known.filter((signature) => signature.method === method);
  if (fitting.length === 0) return method ? `write ${call.function}(…)` : `write value.${call.function}(…)`;
  if (fitting.some((signature) => signature.arity === call.args.length)) return patternProblem(call);
  const arities = [...new Set(fitting.map((signature) => signature.arity))].join(' or ');
  return `${call.function} takes ${arities} arguments, not ${call.args.length}`;
}

/** A pattern that is known is compiled now: a mistake in it is found when the definition is validated. */
function patternProblem(call: Call): string | null {
  const pattern = constantPattern(call);
  if (pattern === null) return null;
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
