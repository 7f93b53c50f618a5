/**
 * A value that is there, or a promise of it: what takes no time needs no promise, and comes before what does.
 */
import { PromiseType } from '../definitions/intrinsics.ts';

export type Later<T> = T | Promise<T>;

/** Goes on with a value now if it is there, else when it comes. */
export function whenThere<T, U>(value: Later<T>, next: (value: T) => Later<U>): Later<U> {
  return value instanceof PromiseType ? value.then(next) : next(value);
}
