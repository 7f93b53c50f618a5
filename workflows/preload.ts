/**
 * What is loaded once per workflow VM and shared by all its runs: the pure walker with the compiled definitions and
 * expressions. It has no state of any run, only memory of pure functions.
 */
export { createRun } from './run.ts';
