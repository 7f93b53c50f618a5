/**
 * Lays code out: on one line where it fits, else with one part per line.
 */
const WIDTH = 120;

/** A piece of code: text, parts between brackets, or calls in a row. */
export type Code = string | Group | Calls;

export interface Calls {
  readonly head: string;
  /** Each begins with its dot. */
  readonly calls: readonly Code[];
}

export interface Group {
  readonly open: string;
  readonly parts: readonly Code[];
  readonly close: string;
  /** Spaces inside the brackets of one line. */
  readonly spaced?: boolean;
}

/** Code as text; `column`: what stands before it on its line, and behind it at its end. */
export function layout(code: Code, indent: number, column: number): string {
  if (typeof code === 'string') return code;
  if ('calls' in code) {
    const inner = indent + 2;
    return code.head + code.calls.map((call) => `\n${' '.repeat(inner)}${layout(call, inner, inner)}`).join('');
  }
  const line = oneLine(code);
  if ((line !== null && column + line.length <= WIDTH) || code.parts.length === 0) return line ?? '';
  const hugged = hugging(code, indent, column);
  if (hugged !== null) return hugged;
  const inner = indent + 2;
  const lines = code.parts.map((part) => `${' '.repeat(inner)}${layout(part, inner, inner + 1)},`);
  return `${code.open}\n${lines.join('\n')}\n${' '.repeat(indent)}${code.close}`;
}

/** A call whose last argument alone is long keeps the others before it: `f('a', {` … `})`. */
function hugging({ open, parts, close, spaced }: Group, indent: number, column: number): string | null {
  const last = parts.at(-1);
  const before = parts.slice(0, -1);
  if (spaced === true || last === undefined || !before.every((part) => typeof part === 'string')) return null;
  const start = `${open}${before.map((part) => `${part}, `).join('')}`;
  const text = `${start}${layout(last, indent, column + start.length + close.length)}${close}`;
  return column + text.indexOf('\n') <= WIDTH && typeof last !== 'string' ? text : null;
}

/** `null` where there are calls in a row, which never share a line. */
function oneLine(code: Code): string | null {
  if (typeof code === 'string') return code;
  if ('calls' in code) return null;
  if (code.parts.length === 0) return `${code.open}${code.close}`;
  const parts = code.parts.map(oneLine);
  if (parts.includes(null)) return null;
  const space = code.spaced === true ? ' ' : '';
  return `${code.open}${space}${parts.join(', ')}${space}${code.close}`;
}

/** Puts text around code. */
export function around(before: string, code: Code, after = ''): Code {
  if (typeof code === 'string') return `${before}${code}${after}`;
  if ('calls' in code) return { head: `${before}${code.head}`, calls: code.calls };
  return { ...code, open: `${before}${code.open}`, close: `${code.close}${after}` };
}
