/**
 * What every rule of the validation gets.
 */
import type { HandlerCatalog } from '../handler-catalog.ts';
import type { IssueList } from '../issue.ts';
import type { Outline } from './outline.ts';

export interface ValidationContext {
  readonly outline: Outline;
  readonly issues: IssueList;
  /** The handlers that are known; `null` where nobody said. */
  readonly handlers: HandlerCatalog | null;
  /** Whether `handlers` is all there is, which makes an unknown command an error. */
  readonly handlersComplete: boolean;
}

/** A rule looks at the whole document once and adds what it finds. */
export type Rule = (context: ValidationContext) => void;
