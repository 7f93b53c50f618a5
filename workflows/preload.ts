/**
 * What is loaded once per workflow VM and shared by all its runs: the pure walker with the compiled definitions and
 * expressions. It has no state of any run, only memory of pure functions.
 *
 * It is loaded for its effects: `sideEffects` in package.json names it, or webpack would leave it out.
 */
export { createRun } from './run.ts';

/**
 * Frames of a stack. Temporal takes one for each promise that is made in its sandbox and maps every frame to its source,
 * which costs more than the walk itself; these are enough to find a fault of the engine. Only here can it be set: after
 * the preload the sandbox is frozen.
 */
const STACK_FRAMES = 5;
Object.assign(Error, { stackTraceLimit: STACK_FRAMES });
