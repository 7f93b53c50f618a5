/**
 * Reads YAML 1.2 as JSON with the place of each part, under the same rules as the JSON reader.
 *
 * What it is: for definitions that people write. What it is not: a way to hold more than JSON; tags, merge keys and
 * keys that are no texts are refused.
 *
 * Invariants:
 * 1. Aliases are copied at most {@link MAX_VALUES} values in all, so a small text cannot grow without bound.
 * 2. Duplicate keys, nesting, numbers and texts are judged as in `json-reader.ts`.
 */
import {
  type Alias,
  type Node,
  type Pair,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  parseDocument,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { JsonSyntaxError, valueOf } from './json-reader.ts';
import { numberFault, textFault } from './json-value.ts';
import { LIMITS } from '../limits.ts';
import type { PlacedValue } from './positions.ts';
import { setOwn } from './set-own.ts';
import type { Json } from '../types.ts';

/** Values in one document, those that aliases repeat included. */
export const MAX_VALUES = 200_000;

/**
 * The value of a YAML text.
 *
 * @throws FermataError `json.invalid` with `details` `{ path, line, column, offset }`; `path` is a JSON pointer.
 */
export function parseYaml(text: string): Json {
  return valueOf(text, readYaml);
}

/**
 * The value of a YAML text with the place of each part.
 *
 * @throws JsonSyntaxError
 */
export function readYaml(text: string, maxDepth: number = LIMITS.jsonDepth): PlacedValue {
  const depthFault = tooDeep(text, maxDepth);
  if (depthFault !== null) throw depthFault;
  const document = parseDocument(text, {
    version: '1.2',
    merge: false,
    // Checked below with a set: the library's own check compares every key with every other.
    uniqueKeys: false,
    prettyErrors: false,
    strict: true,
    stringKeys: false,
    // With 'silent' it would also keep quiet about a second document.
    logLevel: 'error',
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw new JsonSyntaxError(wordsOf(problem), [], problem.pos[0]);
  return new Converter(maxDepth).convert(document.contents);
}

/**
 * The library composes by recursion and would overflow the stack on a text that only opens brackets or items, so the
 * nesting is bounded before it reads: more openings on one line than levels allowed cannot be a document that we take.
 */
function tooDeep(text: string, maxDepth: number): JsonSyntaxError | null {
  const limit = maxDepth * 8;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    if (depth > limit) return new JsonSyntaxError('the document opens too many brackets', [], at);
  }
  const run = /(?:[-?:][ \t]+){200}/.exec(text);
  return run === null ? null : new JsonSyntaxError('the document is nested too deeply', [], run.index);
}

/** The library's words, but for what only its own callers can follow. */
function wordsOf({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS')
    return 'the text holds several YAML documents; keep the first, and each other in a file of its own';
  return message.split('\n', 1)[0] ?? message;
}

class Converter {
  readonly #maxDepth: number;
  readonly #keys: (string | number)[] = [];
  /** An alias means the last node before it that has its name. */
  readonly #anchors = new Map<string, Node>();
  #values = 0;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  convert(contents: Node | null): PlacedValue {
    if (contents === null) throw new JsonSyntaxError('the document is empty', [], 0);
    return this.#value(contents, startOf(contents, 0));
  }

  #value(node: Node | null, offset: number): PlacedValue {
    if (++this.#values > MAX_VALUES) throw this.#fault(`the document has more than ${MAX_VALUES} values`, offset);
    if (node === null) return { value: null, offset };
    if (isAlias(node)) return this.#alias(node, offset);
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')) {
      throw this.#fault(`the tag ${node.tag} has no meaning in a definition`, offset);
    }
    if (isScalar(node)) return { value: this.#scalar(node.value, offset, node.source), offset };
    if (!isCollection(node)) throw this.#fault('this has no meaning in a definition', offset);
    if (this.#keys.length >= this.#maxDepth) {
      throw this.#fault(`the document is nested deeper than ${this.#maxDepth} levels`, offset);
    }
    return isMap(node) ? this.#map(node, offset) : this.#list(node, offset);
  }

  #alias(node: Alias, offset: number): PlacedValue {
    const target = this.#anchors.get(node.source);
    if (target === undefined) throw this.#fault(`the alias *${node.source} names nothing`, offset);
    return { ...this.#value(target, offset), offset };
  }

  #scalar(value: unknown, offset: number, source: string | undefined): Json {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return this.#checked(value, numberFault(value, source), offset);
    if (typeof value === 'string') return this.#checked(value, textFault(value), offset);
    throw this.#fault('this value has no form in JSON', offset);
  }

  #checked<T extends Json>(value: T, fault: string | null, offset: number): T {
    if (fault !== null) throw this.#fault(fault, offset);
    return value;
  }

  #map(node: YAMLMap, offset: number): PlacedValue {
    const value: Record<string, Json> = {};
    const parts = new Map<string, PlacedValue>();
    for (const pair of node.items as Pair<Node | null, Node | null>[]) {
      const keyOffset = startOf(pair.key, offset);
      const key = this.#key(pair.key, keyOffset);
      this.#keys.push(key);
      if (parts.has(key)) throw this.#fault(`the key ${JSON.stringify(key)} is given twice`, keyOffset);
      const part = this.#value(pair.value, keyOffset);
      this.#keys.pop();
      setOwn(value, key, part.value);
      parts.set(key, part);
    }
    return { value, offset, parts };
  }

  #key(key: Node | null, offset: number): string {
    const value: unknown = isScalar(key) ? key.value : undefined;
    if (typeof value !== 'string') throw this.#fault('a key must be a text; put it in quotes', offset);
    return this.#checked(value, textFault(value), offset);
  }

  #list(node: YAMLSeq, offset: number): PlacedValue {
    const value: Json[] = [];
    const parts = new Map<string, PlacedValue>();
    for (const item of node.items as (Node | null)[]) {
      this.#keys.push(value.length);
      const part = this.#value(item, startOf(item, offset));
      this.#keys.pop();
      parts.set(String(value.length), part);
      value.push(part.value);
    }
    return { value, offset, parts };
  }

  #fault(message: string, offset: number): JsonSyntaxError {
    return new JsonSyntaxError(message, [...this.#keys], offset);
  }
}

function startOf(node: Node | null | undefined, otherwise: number): number {
  return node?.range?.[0] ?? otherwise;
}
