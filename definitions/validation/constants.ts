/**
 * Expressions that read nothing of the run, whose value is known when they are written.
 */
import { compileExpression, ExpressionSyntaxError, Meter } from '../expressions/index.ts';
import { RunError } from '../errors.ts';
import type { Json } from '../types.ts';

/** The value of a constant expression; `undefined`: it is not constant, does not parse or cannot be evaluated. */
export function literalOf(expression: string): Json | undefined {
  try {
    const compiled = compileExpression(expression);
    return compiled.references.length > 0 ? undefined : compiled.evaluate({}, new Meter());
  } catch (error) {
    if (error instanceof ExpressionSyntaxError || error instanceof RunError) return undefined;
    throw error;
  }
}
