/**
 * The functions of texts: CEL's own and its strings extension, each paying for what it reads and builds.
 *
 * Invariants:
 * 1. Positions and sizes count code points, as CEL says: an emoji is one, and is never cut in two.
 * 2. A position may be an integer or a whole number of JSON; nothing else.
 * 3. Searching is paid for as what V8's search can cost at worst.
 */
import { type CelFunc, type CelList, type CelValue, CelScalar, celFunc, celMethod, listType } from '@bufbuild/cel';
import { strings as extension } from '@bufbuild/cel/ext';
import { chargeSearch, chargeText, chargeValues } from './budget.ts';
import { format } from './format.ts';
import { textsOf } from './json-values.ts';
import { wholeNumber } from './numbers.ts';
import { utf8 } from './utf8.ts';

const { BOOL, BYTES, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/** Whether positions in UTF-16 units are not positions in code points. */
function hasPairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

function countOf(text: string): number {
  chargeText(text.length);
  if (!hasPairs(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The text between two positions in code points. @throws Error for positions outside. */
function between(text: string, start: number, end: number): string {
  const size = countOf(text);
  if (start < 0 || end > size || start > end)
    throw new Error(`${start} to ${end} is outside a string of ${size} characters`);
  return hasPairs(text) ? [...text].slice(start, end).join('') : text.slice(start, end);
}

function charAt(text: string, at: number): string {
  const size = countOf(text);
  return at === size ? '' : between(text, at, at + 1);
}

/** Finds forwards (`step` 1) or backwards (-1) from a position in code points. */
function find(text: string, wanted: string, from: number | null, step: 1 | -1): bigint {
  chargeSearch(text.length, wanted.length);
  const size = countOf(text);
  if (from !== null && (from < 0 || from > size)) throw new Error(`${from} is outside a string of ${size} characters`);
  const pairs = hasPairs(text);
  const units = from === null ? null : pairs ? between(text, 0, from).length : from;
  const found = step === 1 ? text.indexOf(wanted, units ?? 0) : text.lastIndexOf(wanted, units ?? text.length);
  return BigInt(found > 0 && pairs ? countOf(text.slice(0, found)) : found);
}

/** Replaces the first `count` occurrences. */
function replace(text: string, wanted: string, replacement: string, count: number): string {
  const pieces = split(text, wanted, count < 0 ? -1 : count + 1);
  chargeText(text.length + (pieces.length - 1) * replacement.length);
  // Between the empty string and its neighbours, the ends count too.
  if (wanted !== '') return pieces.join(replacement);
  const points = [...text];
  const limit = count < 0 ? points.length + 1 : count;
  chargeText(Math.min(limit, points.length + 1) * replacement.length);
  return (
    points.map((point, at) => (at < limit ? replacement + point : point)).join('') +
    (limit > points.length ? replacement : '')
  );
}

/** At most `limit` pieces, the last one holding the rest; a negative limit means all. */
function split(text: string, separator: string, limit: number): string[] {
  chargeSearch(text.length, separator.length);
  if (limit === 0) return [];
  const all = separator === '' ? [...text] : text.split(separator);
  chargeValues(all.length);
  if (limit < 0 || all.length <= limit) return all;
  return [...all.slice(0, limit - 1), all.slice(limit - 1).join(separator)];
}

function join(list: CelValue, separator: string): string {
  const pieces = textsOf(list);
  chargeValues(pieces.length);
  chargeText(pieces.reduce((sum, piece) => sum + piece.length + separator.length, 0));
  return pieces.join(separator);
}

/** What the extension brings and costs no more than a walk over its text. */
function extensionFunctions(): CelFunc[] {
  const kept = new Set(['lowerAscii', 'upperAscii', 'trim', 'strings.quote']);
  return extension.filter((fn) => kept.has(fn.name)).map((fn) => charged(fn));
}

function charged(fn: CelFunc): CelFunc {
  const pay = (text: CelValue | undefined): void => chargeText(typeof text === 'string' ? text.length : 0);
  const call = (target: CelValue | undefined, args: CelValue[]): CelValue => {
    pay(target ?? args[0]);
    const result = fn.call(0, target, args);
    if (result === undefined || result instanceof Error) throw result ?? new Error(`${fn.name} takes a string`);
    return result as CelValue;
  };
  return fn.target === undefined
    ? celFunc(fn.name, [STRING], STRING, (text) => call(undefined, [text]) as string)
    : celMethod(fn.name, STRING, [], STRING, function () {
        return call(String(this), []) as string;
      });
}

export function stringFunctions(): CelFunc[] {
  // biome-ignore format: table
  return [
    ...extensionFunctions(),
    celFunc('size', [STRING], INT, (text) => BigInt(countOf(text))),
    celMethod('size', STRING, [], INT, function () { return BigInt(countOf(this)); }),
    celMethod('contains', STRING, [STRING], BOOL, function (part) { chargeSearch(this.length, part.length); return this.includes(part); }),
    celMethod('startsWith', STRING, [STRING], BOOL, function (part) { chargeText(part.length); return this.startsWith(part); }),
    celMethod('endsWith', STRING, [STRING], BOOL, function (part) { chargeText(part.length); return this.endsWith(part); }),
    celMethod('charAt', STRING, [DYN], STRING, function (at) { return charAt(this, wholeNumber(at)); }),
    celMethod('indexOf', STRING, [STRING], INT, function (part) { return find(this, part, null, 1); }),
    celMethod('indexOf', STRING, [STRING, DYN], INT, function (part, from) { return find(this, part, wholeNumber(from), 1); }),
    celMethod('lastIndexOf', STRING, [STRING], INT, function (part) { return find(this, part, null, -1); }),
    celMethod('lastIndexOf', STRING, [STRING, DYN], INT, function (part, from) { return find(this, part, wholeNumber(from), -1); }),
    celMethod('substring', STRING, [DYN], STRING, function (from) { return between(this, wholeNumber(from), countOf(this)); }),
    celMethod('substring', STRING, [DYN, DYN], STRING, function (from, to) { return between(this, wholeNumber(from), wholeNumber(to)); }),
    celMethod('replace', STRING, [STRING, STRING], STRING, function (part, by) { return replace(this, part, by, -1); }),
    celMethod('replace', STRING, [STRING, STRING, DYN], STRING, function (part, by, count) { return replace(this, part, by, wholeNumber(count)); }),
    celMethod('split', STRING, [STRING], LIST, function (separator) { return split(this, separator, -1); }),
    celMethod('split', STRING, [STRING, DYN], LIST, function (separator, limit) { return split(this, separator, wholeNumber(limit)); }),
    celMethod('join', LIST, [], STRING, function () { return join(this, ''); }),
    celMethod('join', LIST, [STRING], STRING, function (separator) { return join(this, separator); }),
    celMethod('format', STRING, [LIST], STRING, function (values) { return format(this, values as CelList); }),
    celFunc('bytes', [STRING], BYTES, (text) => { chargeText(text.length); return utf8(text); }),
  ];
}
