/**
 * The plain state of a fan: which of its parts are under way, and how the others ended.
 */
import type { ErrorInfo } from '../definitions/errors.ts';
import type { Json } from '../definitions/types.ts';
import type { Ending, Frame } from './checkpoint.ts';

/** Scopes that are walked side by side: the branches of a `parallel`, the items of a `forEach`. */
export interface Fan {
  /** Index of the next part to begin. */
  next: number;
  /** Parts under way; after a stop, in the order in which they stopped. */
  open: FanPart[];
  /** How each part ended, by index; `null`: it has not, or never began. */
  readonly ends: (PartEnd | null)[];
  /** How many have ended, and how many of these completed. */
  ended: number;
  completed: number;
  /** Once it is set, parts that are still open have lost. */
  verdict: Verdict | null;
}

export interface FanPart {
  readonly index: number;
  readonly frame: Frame;
}

/** How one part ended. A part that lost is `cancelled`. */
export type PartEnd =
  | { readonly status: 'completed'; readonly output: Json }
  | { readonly status: 'failed' | 'cancelled'; readonly error: ErrorInfo };

/** What a join has come to. */
export type Verdict =
  /** `winner`: index of the part that settled it, where one did. */
  | { readonly kind: 'joined'; readonly winner: number | null }
  | { readonly kind: 'error'; readonly error: ErrorInfo }
  | { readonly kind: 'end'; readonly ending: Ending };
