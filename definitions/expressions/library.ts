/** CEL's functions as the library has them, for what this folder charges for but does not define anew. */
import { type CelResult, type CelValue, celEnv } from '@bufbuild/cel';

const { funcs } = celEnv();

/** Calls a function of the library; `undefined` where it has none for these values. A fault is a value. */
export function callLibrary(name: string, ...args: CelValue[]): CelResult | undefined {
  return funcs.find(name)?.call(0, undefined, args);
}
