/**
 * Sizes of text and JSON in bytes of UTF-8, without Node and without building the bytes.
 */
import { stringify } from '../intrinsics.ts';
import type { Json } from '../types.ts';

/** Bytes of `text` in UTF-8. A lone surrogate counts as the three bytes of U+FFFD, which encoders write for it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
    } else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2;
      index++;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

/** Bytes of `value` as compact JSON in UTF-8. */
export function jsonBytes(value: Json): number {
  return utf8Length(stringify(value));
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** `text` with at most `maxBytes` bytes of UTF-8 (at least 3), `…` at its end where something was cut; never half a character. */
export function cutUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  let bytes = 3;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}
