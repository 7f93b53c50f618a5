/** Words that CEL keeps for itself: no name of a definition can be read under one of them. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);
