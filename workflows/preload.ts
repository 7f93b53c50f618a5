/**
 * What is loaded once per workflow VM and shared by all its runs: the walker with its binding to Temporal, and the
 * compiled definitions and expressions. It has no state of any run, only memory of pure functions.
 *
 * It is loaded for its effects: `sideEffects` in package.json names it, or webpack would leave it out.
 */
import { takeNoStacksOfPromises } from './temporal/promise-stacks.ts';

export { interceptors } from './temporal/headers.ts';
export { default as interpreter } from './temporal/interpreter.ts';
export { payloadConverter } from './temporal/payload-converter.ts';

takeNoStacksOfPromises();

/**
 * Frames of a stack. Faults are values in CEL, and each takes one; these are enough to find a fault of the engine. Only
 * here can it be set: after the preload the sandbox is frozen.
 */
const STACK_FRAMES = 5;
Object.assign(Error, { stackTraceLimit: STACK_FRAMES });
