/**
 * Text to syntax tree: the only place that calls the CEL parser.
 *
 * Invariants:
 * 1. Length and nesting of brackets are refused before the parser sees the text, so its recursion is bounded.
 * 2. The tree that comes out is at most {@link MAX_TREE_DEPTH} deep, so every later recursion is bounded too.
 * 3. Every function call in it names a function that exists, with a number of arguments that it takes.
 */
import { parse } from '@bufbuild/cel';
import { LIMITS } from '../limits.ts';
import { reasonOf } from '../reason-of.ts';
import { bracketDepth } from './scan.ts';
import { ExpressionSyntaxError } from './syntax-error.ts';

/** A node of CEL's own syntax tree. */
export type Expr = NonNullable<ReturnType<typeof parse>['expr']>;
export type Kind = Expr['exprKind'];
export type Call = Extract<Kind, { case: 'callExpr' }>['value'];
export type Comprehension = Extract<Kind, { case: 'comprehensionExpr' }>['value'];

export interface SyntaxTree {
  readonly text: string;
  readonly root: Expr;
  /** Position in the text of the node with this id; 0 when it has none. */
  offsetOf(id: bigint | undefined): number;
}

/** Depth of operators: an unbracketed `a + b + c` is one level deeper with every term. */
const MAX_TREE_DEPTH = 5 * LIMITS.expressionDepth;

/**
 * Parses one expression.
 *
 * @throws ExpressionSyntaxError
 */
export function parseExpression(text: string): SyntaxTree {
  refuseOversize(text);
  const parsed = callParser(text);
  const positions = parsed.sourceInfo?.positions ?? {};
  const tree: SyntaxTree = {
    text,
    root: parsed.expr,
    offsetOf: (id) => (id === undefined ? 0 : (positions[id.toString()] ?? 0)),
  };
  checkTree(tree, tree.root, 1);
  return tree;
}

function refuseOversize(text: string): void {
  if (text.length > LIMITS.expressionLength) {
    const message = `an expression has at most ${LIMITS.expressionLength} characters, this one has ${text.length}`;
    throw new ExpressionSyntaxError(message, { offset: LIMITS.expressionLength, text });
  }
  const { depth, offset } = bracketDepth(text);
  if (depth > LIMITS.expressionDepth) tooDeep(text, offset);
}

function tooDeep(text: string, offset: number): never {
  throw new ExpressionSyntaxError('the expression is nested too deeply; set parts of it as variables first', {
    offset,
    text,
  });
}

function callParser(text: string): ReturnType<typeof parse> {
  try {
    // The library wants a line break behind a comment, also behind the last one.
    return parse(text.includes('//') ? `${text}\n` : text);
  } catch (error) {
    if (error instanceof RangeError) return tooDeep(text, 0);
    throw new ExpressionSyntaxError(messageOf(error), { offset: offsetOf(error), text });
  }
}

function messageOf(error: unknown): string {
  const message = reasonOf(error);
  if (!message.includes('but expecting')) return message;
  const found = /found (.*?) but expecting/s.exec(message)?.[1] ?? 'something else';
  return found === 'end of input' ? 'the expression ends too early' : `unexpected ${found}`;
}

function offsetOf(error: unknown): number {
  const at = error as { location?: { start?: { offset?: number } } };
  return at.location?.start?.offset ?? 0;
}

/** Refuses what the language does not have: deep trees, message types of Protocol Buffers. */
function checkTree(tree: SyntaxTree, expr: Expr, depth: number): void {
  if (depth > MAX_TREE_DEPTH) tooDeep(tree.text, tree.offsetOf(expr.id));
  const kind = expr.exprKind;
  if (kind.case === 'structExpr' && kind.value.messageName !== '') {
    throw new ExpressionSyntaxError(`unknown type: ${kind.value.messageName}`, {
      offset: tree.offsetOf(expr.id),
      text: tree.text,
    });
  }
  for (const child of childrenOf(expr)) checkTree(tree, child, depth + 1);
}

/** The direct parts of a node, in the order in which they are written. */
export function childrenOf(expr: Expr): Expr[] {
  const kind = expr.exprKind;
  switch (kind.case) {
    case 'selectExpr':
      return present(kind.value.operand);
    case 'callExpr':
      return present(kind.value.target, ...kind.value.args);
    case 'listExpr':
      return kind.value.elements;
    case 'structExpr':
      return kind.value.entries.flatMap((entry) =>
        present(entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined, entry.value),
      );
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value;
      return present(iterRange, accuInit, loopCondition, loopStep, result);
    }
    default:
      return [];
  }
}

function present(...parts: (Expr | undefined)[]): Expr[] {
  return parts.filter((part) => part !== undefined);
}
