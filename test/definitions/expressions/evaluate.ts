import { compileExpression, compileTemplate, Meter, type Names } from '../../../definitions/expressions/index.ts';
import type { Json } from '../../../definitions/types.ts';

/** The names of a run in which nothing has happened yet. */
export const EMPTY: Names = {
  event: null,
  input: null,
  vars: {},
  nodes: {},
  run: { id: 'r/1' },
  now: Date.UTC(2027, 0, 1),
};

/** Evaluates an expression over some names. */
export function evaluate(text: string, names: Names = {}): Json {
  return compileExpression(text).evaluate({ ...EMPTY, ...names }, new Meter());
}

/** Evaluates a template over some names. */
export function fill(template: Json, names: Names = {}): Json {
  return compileTemplate(template).evaluate({ ...EMPTY, ...names }, new Meter());
}

/** The error that a call throws; fails when it throws none. */
export function errorOf(call: () => unknown): Error & { type?: string; offset?: number; details?: Json } {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}
