/**
 * Negative, zero or positive: order by code point, in filters as in expressions. JavaScript's `<` goes by UTF-16 unit,
 * which puts U+FF5E after emoji.
 */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue;
    const start = index > 0 && isHighSurrogate(left.charCodeAt(index - 1)) ? index - 1 : index;
    return (left.codePointAt(start) ?? 0) - (right.codePointAt(start) ?? 0);
  }
  return left.length - right.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
