/** Thrown when a text is not an expression or template of the language. */
export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError';
  /** Position in {@link text}, in UTF-16 units, from 0. */
  readonly offset: number;
  /** The expression; for a template, the whole string at {@link pointer}. */
  readonly text: string;
  /** JSON pointer inside the template, `""` for a bare expression. */
  readonly pointer: string;

  constructor(message: string, at: { readonly offset: number; readonly text: string; readonly pointer?: string }) {
    super(message);
    this.offset = at.offset;
    this.text = at.text;
    this.pointer = at.pointer ?? '';
  }
}
