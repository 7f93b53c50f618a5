/**
 * Hides the secrets of one attempt in whatever leaves it: errors, logs, heartbeats, output.
 *
 * What it is not: proof against a handler that transforms a secret in a way of its own (encrypts it, reverses it, sends
 * it elsewhere). It catches what happens by accident.
 *
 * Invariants:
 * 1. A secret is found in any case of letters, percent-encoded, JSON-escaped, in hex, and in base64 at any offset (so
 *    within a `user:password` that was encoded as a whole), each also made from its upper- and lower-case spelling.
 * 2. Each longer line of a secret of several lines is hidden too.
 * 3. Text is masked before it is cut, so that no cut leaves a part of a secret.
 */
import { SHORTEST_SECRET } from './secret-source.ts';

/** What stands in place of a secret. */
const MASK = '***';
/** Deeper than this, a log field is not worth walking. */
const DEEPEST = 8;

export interface Masker {
  /** From now on hides `secret`. */
  add(secret: string): void;
  /** `value` with every secret in it hidden. */
  text(value: string): string;
  /** The same for all strings and keys inside plain JSON. */
  json<T>(value: T): T;
  /** The same for anything that may be logged: errors become `{ name, message, stack }`, cycles and great depth `…`. */
  fields(value: Record<string, unknown>): Record<string, unknown>;
}

export function createMasker(): Masker {
  const needles = new Set<string>();
  let pattern: RegExp | null = null;

  function text(value: string): string {
    if (needles.size === 0) return value;
    pattern ??= compile(needles);
    return value.replace(pattern, MASK);
  }
  return {
    add(secret) {
      for (const spelling of spellings(secret)) needles.add(spelling);
      pattern = null;
    },
    text,
    json: (value) =>
      needles.size === 0 ? value : (mapStrings(value, { map: text, deepest: Infinity }) as typeof value),
    fields: (value) =>
      needles.size === 0 ? value : (mapStrings(value, { map: text, deepest: DEEPEST }) as Record<string, unknown>),
  };
}

/** Longest first, since an alternation takes the first that fits. */
function compile(needles: ReadonlySet<string>): RegExp {
  const sorted = [...needles].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map((needle) => needle.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi');
}

function spellings(secret: string): Set<string> {
  const found = new Set<string>();
  const lines = secret.split(/\r?\n/).filter((line) => line.trim().length >= SHORTEST_SECRET);
  for (const part of [secret, ...lines]) {
    for (const cased of [part, part.toUpperCase(), part.toLowerCase()]) {
      for (const spelling of encodings(cased)) if (spelling.length >= SHORTEST_SECRET) found.add(spelling);
    }
  }
  return found;
}

function encodings(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((offset) => base64Inside(bytes, offset));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    // Through bytes: a lone surrogate would throw.
    encodeURIComponent(bytes.toString()),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((part) => part.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** The characters of base64 that depend on `bytes` alone when they stand `offset` (mod 3) bytes into a longer text. */
function base64Inside(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

interface StringMapping {
  readonly map: (text: string) => string;
  readonly deepest: number;
}

/** `open`: the objects around `value`, by which cycles and depth are seen. */
function mapStrings(value: unknown, { map, deepest }: StringMapping, open: readonly object[] = []): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (open.length === deepest || open.includes(value)) return '…';
  const inside = (member: unknown): unknown => mapStrings(member, { map, deepest }, [...open, value]);
  if (Array.isArray(value)) return value.map(inside);
  if (value instanceof Error) return inside({ name: value.name, message: value.message, stack: value.stack });
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [map(key), inside(member)]));
}
