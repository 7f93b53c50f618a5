/**
 * `text` with at most `maxBytes` bytes of UTF-8 (at least 3), `…` at its end where something was cut; never half a character.
 */
export function cutText(text: string, maxBytes: number): string {
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return text;
  // A UTF-16 unit is one byte at least, so the part that stays lies within this many.
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = maxBytes - Buffer.byteLength('…');
  while (end > 0 && isContinuation(bytes[end])) end--;
  return `${bytes.toString('utf8', 0, end)}…`;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
