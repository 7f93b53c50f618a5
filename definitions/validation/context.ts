/**
 * What every rule of the validation gets.
 */
import type { HandlerCatalog } from '../handler-catalog.ts';
import type { IssueList } from '../issue.ts';
import type { Json } from '../types.ts';
import type { Flow } from './flow.ts';
import type { Outline } from './outline.ts';
import type { Site } from './sites.ts';

/** The other definitions that are known, by their id: the document of the version that new runs get. */
export type DefinitionCatalog = { readonly [id: string]: Json };

export interface ValidationContext {
  readonly outline: Outline;
  /** Every expression and template. */
  readonly sites: readonly Site[];
  /** What can come before what, worked out once for all rules. */
  readonly flow: Flow;
  readonly issues: IssueList;
  /** The handlers that are known; `null` where nobody said. */
  readonly handlers: HandlerCatalog | null;
  /** Whether `handlers` is all there is, which makes an unknown command an error. */
  readonly handlersComplete: boolean;
  /** `null` where nobody said. */
  readonly definitions: DefinitionCatalog | null;
  /** Names of the calendars that are stored; `null` where nobody said. */
  readonly calendars: readonly string[] | null;
}

/** A rule looks at the whole document once and adds what it finds. */
export type Rule = (context: ValidationContext) => void;
