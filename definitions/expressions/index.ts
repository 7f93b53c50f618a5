/** Expressions and templates: the one door to CEL. */
export { Meter } from './budget.ts';
export { comparisonsOf, type TextComparison } from './comparisons.ts';
export { type CompiledExpression, compileExpression } from './expression.ts';
export type { Names } from './paths.ts';
export type { Reference } from './references.ts';
export { ExpressionSyntaxError } from './syntax-error.ts';
export { splitTemplate, type TextPart } from './template-text.ts';
export { type CompiledTemplate, compileTemplate } from './template.ts';
