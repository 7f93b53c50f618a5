/**
 * What an evaluation may cost, counted and never timed, so that a runaway expression stops at the same point on replay.
 *
 * One step pays for one turn of a loop with a short body, for 128 characters read or built, or for 16 values read or
 * built. Nothing that grows with its data is free.
 *
 * Invariants:
 * 1. Evaluation is synchronous and never nests, so one module variable is the budget of the evaluation under way.
 * 2. Once spent, a budget stays spent: CEL's `||` and `exists()` may swallow the fault, {@link spend} still ends in it.
 */
import { LIMITS } from '../limits.ts';
import { ceil, ErrorType, floor, max, reflectGet, reflectSet } from '../intrinsics.ts';

/** Units per step: the cost of one character is 1. */
const STEP = 128;
const TURN = STEP;
const VALUE = STEP / 16;
/** Parts of a loop's body that one step pays for. */
const BODY_PARTS_PER_STEP = 16;

let unitsLeft = 0;

/** Sums the steps of many evaluations. */
export class Meter {
  /** Steps so far. */
  used = 0;
}

/** Thrown by {@link charge}; the evaluator turns it into an error value, {@link spend} back into a fault. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** @throws BudgetSpent */
function charge(units: number): void {
  unitsLeft -= units;
  if (unitsLeft < 0) throw new BudgetSpent(`more than ${LIMITS.expressionSteps} steps`);
}

/** Pays for `count` characters. @throws BudgetSpent */
export function chargeText(count: number): void {
  charge(count);
}

/** Pays for `count` values. @throws BudgetSpent */
export function chargeValues(count: number): void {
  charge(count * VALUE);
}

/** Whole steps that so much is worth: for what is paid for by its size and never refused for it. */
export function stepsFor({ characters, values }: { readonly characters: number; readonly values: number }): number {
  return floor((characters + values * VALUE) / STEP);
}

/** Pays for one turn of a loop whose body has `parts` parts. @throws BudgetSpent */
export function chargeTurn(parts: number): void {
  charge(TURN * ceil(parts / BODY_PARTS_PER_STEP));
}

/** Pays for one search of `needle` characters in `text`: V8's search takes time in proportion to both. @throws BudgetSpent */
export function chargeSearch(text: number, needle: number): void {
  charge(text + (text / 256) * needle);
}

/**
 * Runs one evaluation under a fresh budget and adds its steps to the meter, one at least.
 *
 * @throws BudgetSpent
 */
export function spend<T>(meter: Meter, evaluation: () => T): T {
  const budget = LIMITS.expressionSteps * STEP;
  unitsLeft = budget;
  const stackTraceLimit: unknown = reflectGet(ErrorType, 'stackTraceLimit');
  try {
    // Faults are values in CEL, and a loop may make one every turn: without its stack one costs a tenth. Where Error is
    // frozen, as in a workflow, this changes nothing.
    reflectSet(ErrorType, 'stackTraceLimit', 0);
    const result = evaluation();
    if (unitsLeft < 0) throw new BudgetSpent(`more than ${LIMITS.expressionSteps} steps`);
    return result;
  } finally {
    reflectSet(ErrorType, 'stackTraceLimit', stackTraceLimit);
    meter.used += max(1, ceil((budget - max(unitsLeft, 0)) / STEP));
  }
}
