/**
 * SHA-256 (FIPS 180-4) without Node, for what a workflow has to name by its content.
 *
 * What it is not: fast; texts of some hundred kilobytes take milliseconds.
 */
import { utf8 } from '../expressions/utf8.ts';

/** The first 32 bits of what is behind the point of the roots of the first primes, as the standard wants them. */
const PRIMES = primes(64);
const K = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** SHA-256 of `text` as UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  const hash = Uint32Array.from(START);
  const words = padded(utf8(text));
  const schedule = new Uint32Array(64);
  for (let at = 0; at < words.length; at += 16) {
    schedule.set(words.subarray(at, at + 16));
    compress(hash, schedule);
  }
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The text, a single one bit, zeros up to the end of a block, and the length in bits. */
function padded(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.ceil((bytes.length + 9) / 64) * 16);
  bytes.forEach((byte, at) => put(words, at, byte));
  put(words, bytes.length, 0x80);
  words[words.length - 2] = Math.floor((bytes.length * 8) / 2 ** 32);
  words[words.length - 1] = bytes.length * 8;
  return words;
}

function put(words: Uint32Array, at: number, byte: number): void {
  words[at >> 2] = word(words, at >> 2) | (byte << (24 - 8 * (at & 3)));
}

function compress(hash: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [before, last] = [word(w, i - 15), word(w, i - 2)];
    const s0 = rotated(before, 7) ^ rotated(before, 18) ^ (before >>> 3);
    const s1 = rotated(last, 17) ^ rotated(last, 19) ^ (last >>> 10);
    w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + word(K, i) + word(w, i)) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => (hash[at] = word(hash, at) + value));
}

function word(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

function rotated(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
