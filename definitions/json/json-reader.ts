/**
 * The strict JSON reader of all doors: it sees the digits of a number, and knows where every value stands.
 *
 * What it is: RFC 8259 and nothing more lenient. What it is not: `JSON.parse`, which rounds big numbers, drops all but
 * the last of two equal keys, and says nothing about where.
 *
 * Invariants:
 * 1. Refused with their path: whole numbers beyond ±(2^53−1), numbers that overflow, a key given twice, U+0000, lone
 *    surrogates, nesting beyond a limit.
 * 2. Every key becomes an own property, `__proto__` too.
 * 3. Its stack is bounded by the depth limit, its time linear in the text.
 */
import { FermataError } from '../fermata-error.ts';
import { numberFault, textFault } from './json-value.ts';
import { LIMITS } from '../limits.ts';
import { type Keys, toPointer } from './path.ts';
import { type PlacedValue, TextLines } from './positions.ts';
import { setOwn } from './set-own.ts';
import type { Json } from '../types.ts';

/** A fault of a text, thrown inside; doors turn it into an issue or a {@link FermataError}. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly keys: Keys;
  /** In UTF-16 units from the start of the text. */
  readonly offset: number;

  constructor(message: string, keys: Keys, offset: number) {
    super(message);
    this.keys = keys;
    this.offset = offset;
  }
}

/**
 * The value of a JSON text.
 *
 * @throws FermataError `json.invalid` with `details` `{ path, line, column, offset }`; `path` is a JSON pointer.
 */
export function parseJson(text: string): Json {
  return valueOf(text, readJson);
}

/** The value that `read` finds in a text; its faults become those of {@link parseJson}. */
export function valueOf(text: string, read: (text: string) => PlacedValue): Json {
  try {
    return read(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const path = toPointer(error.keys);
    const { line, column } = new TextLines(text).at(error.offset);
    const where = `line ${line}, column ${column}${path === '' ? '' : `, at ${path}`}`;
    throw new FermataError('json.invalid', `${error.message} (${where})`, { path, line, column, offset: error.offset });
  }
}

/**
 * The value of a JSON text with the place of each part.
 *
 * @throws JsonSyntaxError
 */
export function readJson(text: string, maxDepth: number = LIMITS.jsonDepth): PlacedValue {
  return new Reader(text, maxDepth).read();
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** All but quotes, backslashes and control characters. */
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y;
const SPACE = /[ \t\n\r]*/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #keys: (string | number)[] = [];
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  read(): PlacedValue {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    this.#skipSpace();
    const value = this.#value(this.#at);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault('there is text after the end of the JSON value');
    return value;
  }

  #value(offset: number): PlacedValue {
    const start = this.#text[this.#at];
    if (start === '{') return this.#object(offset);
    if (start === '[') return this.#array(offset);
    if (start === '"') return { value: this.#string(), offset };
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return { value, offset };
    }
    return { value: this.#number(), offset };
  }

  #object(offset: number): PlacedValue {
    const value: Record<string, Json> = {};
    const parts = new Map<string, PlacedValue>();
    this.#open();
    while (!this.#closes('}', parts.size === 0)) {
      const keyOffset = this.#at;
      if (this.#text[this.#at] !== '"') throw this.#fault('a key in double quotes is expected');
      const key = this.#string();
      this.#keys.push(key);
      if (parts.has(key))
        throw new JsonSyntaxError(`the key ${JSON.stringify(key)} is given twice`, [...this.#keys], keyOffset);
      this.#skipSpace();
      this.#expect(':');
      this.#skipSpace();
      const part = this.#value(keyOffset);
      this.#keys.pop();
      setOwn(value, key, part.value);
      parts.set(key, part);
    }
    return { value, offset, parts };
  }

  #array(offset: number): PlacedValue {
    const value: Json[] = [];
    const parts = new Map<string, PlacedValue>();
    this.#open();
    while (!this.#closes(']', value.length === 0)) {
      this.#keys.push(value.length);
      const part = this.#value(this.#at);
      this.#keys.pop();
      parts.set(String(value.length), part);
      value.push(part.value);
    }
    return { value, offset, parts };
  }

  #open(): void {
    if (this.#keys.length >= this.#maxDepth) {
      throw this.#fault(`the value is nested deeper than ${this.#maxDepth} levels`);
    }
    this.#at++;
  }

  /** Reads up to the next entry, or past the closing bracket. */
  #closes(bracket: string, first: boolean): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] === bracket) {
      this.#at++;
      return true;
    }
    if (first) return false;
    this.#expect(',');
    this.#skipSpace();
    if (this.#text[this.#at] === bracket) throw this.#fault('a comma before the closing bracket is not JSON');
    return false;
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined)
      throw this.#fault(this.#at < this.#text.length ? 'this is no JSON value' : 'the text ends too early');
    const value = Number(digits);
    const fault = numberFault(value, digits);
    if (fault !== null) throw this.#fault(fault);
    this.#at += digits.length;
    return value;
  }

  #string(): string {
    const start = this.#at;
    this.#at++;
    let value = '';
    for (;;) {
      PLAIN_TEXT.lastIndex = this.#at;
      const plain = PLAIN_TEXT.exec(this.#text)?.[0] ?? '';
      value += plain;
      this.#at += plain.length;
      const end = this.#text[this.#at];
      if (end === '"') break;
      if (end !== '\\')
        throw this.#fault(end === undefined ? 'a text is not closed' : 'a control character must be escaped');
      value += this.#escape();
    }
    this.#at++;
    const fault = textFault(value);
    if (fault !== null) throw new JsonSyntaxError(fault, [...this.#keys], start);
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    const simple = ESCAPES.get(letter);
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (letter !== 'u' || !HEX4.test(digits)) throw this.#fault('this escape is not JSON');
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) {
      throw this.#fault(this.#at < this.#text.length ? `"${character}" is expected` : 'the text ends too early');
    }
    this.#at++;
  }

  #fault(message: string): JsonSyntaxError {
    return new JsonSyntaxError(message, [...this.#keys], this.#at);
  }
}
