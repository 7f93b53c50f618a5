/** Conversions to numbers that refuse what is not one. CEL's own read `""` as 0 and `"abc"` as NaN through JavaScript. */
import { type CelFunc, type CelUint, type CelValue, CelScalar, celFunc, celUint } from '@bufbuild/cel';
import { excerpt } from '../excerpt.ts';
import { typeName } from './type-names.ts';

const { DOUBLE, INT, STRING, UINT } = CelScalar;

/** A position or count: an integer, or a number of JSON without a fraction. @throws Error */
export function wholeNumber(value: CelValue): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new Error(`${typeof value === 'number' ? value : typeName(value)} is not a whole number`);
}

function parseInteger(text: string): bigint {
  if (!/^[+-]?\d{1,19}$/.test(text)) throw new Error(`${quoted(text)} is not an integer`);
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value) throw new Error(`${quoted(text)} is beyond 64 bits`);
  return value;
}

function parseUnsigned(text: string): CelUint {
  if (!/^\d{1,20}$/.test(text) || BigInt.asUintN(64, BigInt(text)) !== BigInt(text)) {
    throw new Error(`${quoted(text)} is not an unsigned integer of 64 bits`);
  }
  return celUint(BigInt(text));
}

function parseDouble(text: string): number {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && text.length <= 400) return Number(text);
  if (text === 'NaN') return Number.NaN;
  const sign = /^([+-]?)(?:Infinity|Inf|inf|infinity)$/.exec(text)?.[1];
  if (sign === undefined) throw new Error(`${quoted(text)} is not a number`);
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** A text as it can stand in a message. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text, 40));
}

export function numberFunctions(): CelFunc[] {
  return [
    celFunc('int', [STRING], INT, parseInteger),
    celFunc('double', [STRING], DOUBLE, parseDouble),
    celFunc('uint', [STRING], UINT, parseUnsigned),
  ];
}
