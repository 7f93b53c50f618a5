/** The CEL `filter` of a trigger, over `event` and nothing else. */
import { RunError } from '../errors.ts';
import { excerpt } from '../excerpt.ts';
import { compileExpression, ExpressionSyntaxError, Meter } from '../expressions/index.ts';
import type { CloudEvent } from '../types.ts';
import type { Mismatch } from './mismatch.ts';

/**
 * `null` where the expression gives `true`. Any other result is a mismatch, and so is an error, of text or of
 * evaluation: kind `error`.
 */
export function expressionMismatch(text: string, event: CloudEvent): Mismatch | null {
  try {
    const result = compileExpression(text).evaluate({ event }, new Meter());
    if (result === true) return null;
    if (result === false) return { kind: 'filter', path: text, message: `${quoted(text)} is false` };
    return { kind: 'error', path: text, message: `${quoted(text)} is neither true nor false` };
  } catch (error) {
    if (!(error instanceof RunError || error instanceof ExpressionSyntaxError)) throw error;
    return { kind: 'error', path: text, message: error.message };
  }
}

/** Characters of an expression that a message shows. */
const LONGEST_SHOWN = 120;

function quoted(text: string): string {
  return `filter \`${excerpt(text, LONGEST_SHOWN)}\``;
}
