/**
 * A scanner that knows just enough of CEL's tokens to see brackets: which are inside strings or comments, and which nest.
 *
 * What it is not: a parser. It never refuses a text; what is wrong is found by the parser that reads it afterwards.
 *
 * Invariants:
 * 1. It reads every character at most once more than the parser does: linear time, no recursion.
 * 2. A bracket inside a string literal or a comment is not a bracket.
 */

/** Where the string literal or comment that begins at `start` ends (exclusive); `start` itself if none begins there. */
function skipOpaque(text: string, start: number): number {
  const first = text[start];
  if (first === '/' && text[start + 1] === '/') {
    const end = text.indexOf('\n', start);
    return end < 0 ? text.length : end;
  }
  return first === '"' || first === "'" ? skipString(text, start, first) : start;
}

function skipString(text: string, start: number, quote: string): number {
  const triple = quote.repeat(3);
  const delimiter = text.startsWith(triple, start) ? triple : quote;
  const raw = hasRawPrefix(text, start);
  let at = start + delimiter.length;
  while (at < text.length) {
    if (text.startsWith(delimiter, at)) return at + delimiter.length;
    at += text[at] === '\\' && !raw ? 2 : 1;
  }
  return text.length;
}

/** `r'…'`, `br"…"` and the like: a backslash is an ordinary character there. */
function hasRawPrefix(text: string, quoteAt: number): boolean {
  return /(?:^|[^A-Za-z0-9_])(?:[rR][bB]?|[bB][rR])$/.test(text.slice(Math.max(0, quoteAt - 3), quoteAt));
}

/** The deepest nesting of brackets, and where it is reached first. */
export function bracketDepth(text: string): { readonly depth: number; readonly offset: number } {
  let depth = 0;
  let deepest = { depth: 0, offset: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const next = skipOpaque(text, at);
    if (next > at) {
      at = next - 1;
      continue;
    }
    const char = text[at];
    if (char === '(' || char === '[' || char === '{') {
      depth += 1;
      if (depth > deepest.depth) deepest = { depth, offset: at };
    } else if (char === ')' || char === ']' || char === '}') {
      depth -= 1;
    }
  }
  return deepest;
}

/** The offset of the `}` that ends the expression beginning at `start`, or -1: braces of map literals and strings do not. */
export function expressionEnd(text: string, start: number): number {
  let braces = 0;
  for (let at = start; at < text.length; at += 1) {
    const next = skipOpaque(text, at);
    if (next > at) {
      at = next - 1;
      continue;
    }
    if (text[at] === '{') braces += 1;
    else if (text[at] === '}') {
      if (braces === 0) return at;
      braces -= 1;
    }
  }
  return -1;
}
