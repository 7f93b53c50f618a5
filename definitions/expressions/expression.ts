/**
 * One expression, compiled once and evaluated often.
 *
 * Invariants:
 * 1. An evaluation either gives JSON or throws `RunError('EXPRESSION_ERROR')` with the expression and a position in it.
 * 2. Nothing of one evaluation is visible to another: plans hold no values.
 * 3. Compiling and evaluating depend on text and values alone: no clock, no chance, no host.
 */
import { type CelError, type CelInput, type CelResult, celError, isCelError, plan } from '@bufbuild/cel';
import { RunError } from '../errors.ts';
import { excerpt } from '../excerpt.ts';
import { isKept, keptText } from '../json/kept-value.ts';
import { LIMITS } from '../limits.ts';
import { reasonOf } from '../reason-of.ts';
import type { Json } from '../types.ts';
import { BudgetSpent, type Meter, spend } from './budget.ts';
import { checkCalls } from './calls.ts';
import { environment } from './environment.ts';
import { createObject } from '../intrinsics.ts';
import { wrap } from './json-values.ts';
import { explainAbsence, type Names, type Path, pathIds, pathOf, pathText, readCelPath, readPath } from './paths.ts';
import { RecentCache } from './recent-cache.ts';
import { type Reference, referencesOf } from './references.ts';
import { inRoom, type Room, TooLarge, toJson } from './results.ts';
import { type PathRead, rewrite } from './rewrite.ts';
import { parseExpression, type SyntaxTree } from './syntax.ts';

export interface CompiledExpression {
  readonly text: string;
  /** Every path that the expression may read. */
  readonly references: readonly Reference[];
  /**
   * @param meter Gets the steps of this evaluation added, one at least.
   * @throws RunError `EXPRESSION_ERROR`, details `{ expression, offset }`.
   */
  evaluate(names: Names, meter: Meter): Json;
}

/** A compiled expression as templates use it: several share the room of one result. */
export interface Evaluable extends CompiledExpression {
  /** @throws RunError */
  evaluateInto(names: Names, meter: Meter, room: Room): Json;
}

const CACHED_PLANS = 2000;
const plans = new RecentCache<Evaluable>(CACHED_PLANS);

/**
 * Compiles one expression, or finds it compiled.
 *
 * @throws ExpressionSyntaxError
 */
export function compileExpression(text: string): CompiledExpression {
  return compileEvaluable(text);
}

/** @throws ExpressionSyntaxError */
export function compileEvaluable(text: string): Evaluable {
  return plans.get(text, compile);
}

function compile(text: string): Evaluable {
  const tree = parseExpression(text);
  checkCalls(tree);
  const path = pathOf(tree.root, new Set());
  const evaluateInto = path === null || path[0] === 'now' ? planned(tree) : plainPath(tree, path);
  return {
    text,
    references: referencesOf(tree),
    evaluateInto,
    evaluate: (names, meter) => inRoom(meter, (room) => evaluateInto(names, meter, room)),
  };
}

/** Most templates only name a value: no evaluator is needed for that. */
function plainPath(tree: SyntaxTree, path: Path): Evaluable['evaluateInto'] {
  const ids = pathIds(tree.root);
  return (names, meter, room) => {
    meter.used += 1;
    const value = readPath(names, path);
    if (value === undefined) {
      const { message, at } = explainAbsence(names, path);
      throw fault(tree, message, ids[at]);
    }
    try {
      room.takeJson(value);
      return value as Json;
    } catch (error) {
      throw faultOf(tree, error, tree.root.id);
    }
  };
}

function planned(tree: SyntaxTree): Evaluable['evaluateInto'] {
  const { root, reads } = rewrite(tree.root);
  const run = plan(environment, root) as (bindings: Record<string, CelInput>) => CelResult;
  const prototype = bindingsOf(reads);
  return (names, meter, room) => {
    try {
      return spend(meter, () => {
        const result = run(createObject(prototype, { [NAMES]: { value: names } }) as Record<string, CelInput>);
        if (isCelError(result)) throw result;
        return toJson(result, room);
      });
    } catch (error) {
      const outside = outsideOf(reads, names, error);
      throw faultOf(tree, outside ?? error, isCelError(error) ? error.exprId : tree.root.id);
    }
  };
}

/** What has no meaning for an object may have one for a value that is not here: that is what to say then. */
function outsideOf(reads: readonly PathRead[], names: Names, error: unknown): Error | null {
  if (!/no matching overload|has no meaning/.test(reasonOf(error))) return null;
  for (const { path } of reads) {
    const value = path[0] === 'now' ? undefined : readPath(names, path);
    if (isKept(value)) return new Error(`${pathText(path)} is ${keptText(value)}`);
  }
  return null;
}

const NAMES = Symbol('names');
interface Bindings {
  readonly [NAMES]: Names;
}

/** Resolves each path when, and only when, the evaluation asks for it. */
function bindingsOf(reads: readonly PathRead[]): object {
  const prototype = Object.create(null) as object;
  for (const read of reads) {
    Object.defineProperty(prototype, read.name, {
      get(this: Bindings): CelInput | CelError {
        const value = readCelPath(this[NAMES], read.path);
        if (value !== undefined) return value;
        const { message, at, untold } = explainAbsence(this[NAMES], read.path);
        if (read.optional && untold !== true) return NOWHERE;
        return celError(message, read.ids[at]);
      },
    });
  }
  return prototype;
}

/** What `get` looks into when its first argument is not there: an object without keys. */
const NOWHERE = wrap(Object.freeze({})) as CelInput;

/** A value that no payload could carry is a fault of its size, whoever built it. */
function faultOf(tree: SyntaxTree, error: unknown, id: bigint | undefined): RunError {
  if (!(error instanceof TooLarge)) return fault(tree, messageOf(error), id);
  const limit = LIMITS.valueBytes;
  return new RunError('PAYLOAD_TOO_LARGE', `${error.message}; the limit is ${limit} bytes`, {
    limit,
    expression: tree.text,
  });
}

function fault(tree: SyntaxTree, message: string, id: bigint | undefined): RunError {
  const offset = tree.offsetOf(id);
  return new RunError('EXPRESSION_ERROR', `${excerpt(message, 300)} (in \`${excerpt(tree.text, 120)}\` at ${offset})`, {
    expression: tree.text,
    offset,
  });
}

function messageOf(error: unknown): string {
  if (error instanceof BudgetSpent) return `the expression takes ${error.message}`;
  return reasonOf(error)
    .replace(/ out of bounds \[0, -1\)$/, ' is outside the list')
    .replaceAll('@op ', '');
}
