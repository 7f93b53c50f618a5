/**
 * The functions of texts: CEL's own and its strings extension, each paying for what it reads and builds.
 *
 * Invariants:
 * 1. Positions and sizes count code points, as CEL says: an emoji is one, and is never cut in two.
 * 2. A position may be an integer or a whole number of JSON; nothing else.
 * 3. Searching is paid for as what V8's search can cost at worst.
 */
import { type CelFunc, type CelValue, CelScalar, celFunc, celMethod, listType } from '@bufbuild/cel';
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
  return hasPairs(text) ? Array.from(text).slice(start, end).join('') : text.slice(start, end);
}

function charAt(text: string, at: number): string {
  const size = countOf(text);
  return at === size ? '' : between(text, at, at + 1);
}

/** A search forwards (1) or backwards (-1), from and to positions in code points; -1 when nothing is found. */
function search(direction: 1 | -1): (text: string, wanted: string, from: number | null) => bigint {
  return (text, wanted, from) => {
    chargeSearch(text.length, wanted.length);
    const size = countOf(text);
    if (from !== null && (from < 0 || from > size))
      throw new Error(`${from} is outside a string of ${size} characters`);
    const pairs = hasPairs(text);
    const start = from !== null && pairs ? between(text, 0, from).length : from;
    const found = direction === 1 ? text.indexOf(wanted, start ?? 0) : text.lastIndexOf(wanted, start ?? text.length);
    return BigInt(found > 0 && pairs ? countOf(text.slice(0, found)) : found);
  };
}
const indexOf = search(1);
const lastIndexOf = search(-1);

interface Replacement {
  readonly wanted: string;
  readonly by: string;
  /** How many at most; negative means all. */
  readonly count: number;
}

function replace(text: string, { wanted, by, count }: Replacement): string {
  if (wanted === '') return surround(text, by, count);
  const pieces = split(text, wanted, count < 0 ? -1 : count + 1);
  chargeText(text.length + (pieces.length - 1) * by.length);
  return pieces.join(by);
}

/** The empty string is found before every character and at the end. */
function surround(text: string, by: string, count: number): string {
  const characters = Array.from(text);
  const times = count < 0 ? characters.length + 1 : Math.min(count, characters.length + 1);
  chargeText(text.length + times * by.length);
  const before = characters.map((character, at) => (at < times ? by + character : character)).join('');
  return times > characters.length ? before + by : before;
}

/** At most `limit` pieces, the last one holding the rest; a negative limit means all. */
function split(text: string, separator: string, limit: number): string[] {
  chargeSearch(text.length, separator.length);
  if (limit === 0) return [];
  const all = separator === '' ? Array.from(text) : text.split(separator);
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
    return result;
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
    celMethod('indexOf', STRING, [STRING], INT, function (part) { return indexOf(this, part, null); }),
    celMethod('indexOf', STRING, [STRING, DYN], INT, function (part, from) { return indexOf(this, part, wholeNumber(from)); }),
    celMethod('lastIndexOf', STRING, [STRING], INT, function (part) { return lastIndexOf(this, part, null); }),
    celMethod('lastIndexOf', STRING, [STRING, DYN], INT, function (part, from) { return lastIndexOf(this, part, wholeNumber(from)); }),
    celMethod('substring', STRING, [DYN], STRING, function (from) { return between(this, wholeNumber(from), countOf(this)); }),
    celMethod('substring', STRING, [DYN, DYN], STRING, function (from, to) { return between(this, wholeNumber(from), wholeNumber(to)); }),
    celMethod('replace', STRING, [STRING, STRING], STRING, function (part, by) { return replace(this, { wanted: part, by, count: -1 }); }),
    celMethod('replace', STRING, [STRING, STRING, DYN], STRING, function (part, by, count) { return replace(this, { wanted: part, by, count: wholeNumber(count) }); }),
    celMethod('split', STRING, [STRING], LIST, function (separator) { return split(this, separator, -1); }),
    celMethod('split', STRING, [STRING, DYN], LIST, function (separator, limit) { return split(this, separator, wholeNumber(limit)); }),
    celMethod('join', LIST, [], STRING, function () { return join(this, ''); }),
    celMethod('join', LIST, [STRING], STRING, function (separator) { return join(this, separator); }),
    celMethod('format', STRING, [LIST], STRING, function (values) { return format(this, values); }),
    celFunc('bytes', [STRING], BYTES, (text) => { chargeText(text.length); return utf8(text); }),
  ];
}
