/**
 * Built-in functions of the hot path, held here: inside a workflow's VM looking a global up takes microseconds, more
 * than a whole evaluation.
 */
export const { create: createObject, hasOwn, keys: keysOf } = Object;
export const { isArray } = Array;
export const { isFinite: isFiniteNumber } = Number;
export const { ceil, floor, max, min } = Math;
export const { get: reflectGet, set: reflectSet } = Reflect;
export const { stringify } = JSON;
export const ErrorType = Error;
export const PromiseType = Promise;
export const Bytes = Uint8Array;
