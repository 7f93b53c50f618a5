/**
 * Built-in functions of the hot path, held here: inside a workflow's VM looking a global up takes microseconds, more
 * than all the rest of an evaluation.
 */
export const { create: createObject, hasOwn, keys: keysOf } = Object;
export const { isArray } = Array;
export const { isFinite: isFiniteNumber } = Number;
export const { ceil, floor, max, min } = Math;
export const { get: reflectGet, set: reflectSet } = Reflect;
export const ErrorType = Error;
export const Bytes = Uint8Array;
