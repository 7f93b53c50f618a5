/** `text` for a message: at most `longest` UTF-16 units, `…` at its end where something was cut; never half a character. */
export function excerpt(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const unit = text.charCodeAt(longest - 2);
  const isHighSurrogate = unit >= 0xd800 && unit < 0xdc00;
  return `${text.slice(0, isHighSurrogate ? longest - 2 : longest - 1)}…`;
}
