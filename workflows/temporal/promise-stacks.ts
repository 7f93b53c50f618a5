/**
 * Promises without stacks.
 *
 * Temporal's SDK takes a stack for each promise that is made in its sandbox, and maps its frames to sources, for its own
 * query `__stack_trace`. Of a run of ours that would show how the walker waits, and never where in the definition the run
 * is, which the current details and the query `state` tell. It costs more than the walk itself.
 *
 * Invariants:
 * 1. The SDK gets into the sandbox through the constructor of a promise's constructor, which is `Function`, with one text
 *    for the run at work and one for the class by which it takes stacks. Only the latter is answered otherwise: an SDK
 *    that asks in other words gets what it asks for, and is slower.
 * 2. Errors keep their stacks, and a rejection that nobody handles is still blamed on its run.
 */

/** What the SDK asks for, once for each promise that is made and again when it settles. */
const GLOBAL = /^return globalThis\.(\w+)$/;

/** Takes no stack, where an `Error` would. */
class Stackless {
  readonly stack: string | undefined = undefined;
}

/** To be called before the sandbox is frozen. */
export function takeNoStacksOfPromises(): void {
  const compile = Promise.constructor as (text: string) => () => unknown;
  const answers = new Map<string, () => unknown>([['return globalThis.Error', () => Stackless]]);
  // Found once: in the sandbox it takes microseconds to look `globalThis` up, and as many to compile.
  const sandbox = compile('return globalThis')() as { readonly [name: string]: unknown };
  const answer = (text: string): (() => unknown) => {
    const name = GLOBAL.exec(text)?.[1];
    return name === undefined ? compile(text) : () => sandbox[name];
  };
  Object.defineProperty(Promise, 'constructor', {
    value(text: string) {
      const known = answers.get(text);
      if (known !== undefined) return known;
      const fresh = answer(text);
      answers.set(text, fresh);
      return fresh;
    },
  });
}
