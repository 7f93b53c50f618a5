/**
 * What a verb answers: data, its text for people, and how it went.
 */
import type { Paint } from './output/paint.ts';

export interface Answer {
  /** What `--json` prints. */
  readonly document: unknown;
  /** What people read; ends without a line end, empty for nothing. */
  readonly text: (paint: Paint) => string;
  /** Notes for people that are no part of the result; they go to standard error. */
  readonly notes?: (paint: Paint) => string;
  /** What goes on once it is printed, until it ends. */
  readonly goOn?: () => Promise<void>;
  /** Default `done`. */
  readonly exit?: ExitCode;
}

export const EXIT = { done: 0, refused: 1, usage: 2 } as const;
/** Those, or 130 after Ctrl-C. */
export type ExitCode = number;
