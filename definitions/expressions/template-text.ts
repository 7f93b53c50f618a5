/** A template string, split into literal text and expressions. */
import { expressionEnd } from './scan.ts';
import { ExpressionSyntaxError } from './syntax-error.ts';

export type TextPart =
  | { readonly kind: 'literal'; readonly text: string }
  /** `offset`: where the expression begins in the string, behind `${`. */
  | { readonly kind: 'expression'; readonly text: string; readonly offset: number };

/**
 * Splits a template string. `$${` is a literal `${`; a `}` inside a string or map literal of the expression ends nothing.
 *
 * @throws ExpressionSyntaxError for a `${` without its `}`.
 */
export function splitTemplate(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let literal = '';
  let at = 0;
  for (let open = text.indexOf('${', at); open >= 0; open = text.indexOf('${', at)) {
    if (open > at && text[open - 1] === '$') {
      literal += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    literal += text.slice(at, open);
    if (literal !== '') parts.push({ kind: 'literal', text: literal });
    literal = '';
    const end = expressionEnd(text, open + 2);
    if (end < 0)
      throw new ExpressionSyntaxError('this ${ has no } to end it; write $${ for the characters themselves', {
        offset: open,
        text,
      });
    parts.push({ kind: 'expression', text: text.slice(open + 2, end), offset: open + 2 });
    at = end + 1;
  }
  literal += text.slice(at);
  if (literal !== '' || parts.length === 0) parts.push({ kind: 'literal', text: literal });
  return parts;
}
