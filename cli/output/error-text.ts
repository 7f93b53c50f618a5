/**
 * A refusal for people: what happened, the code to look up, and what to do.
 */
import { ERROR_CODES, type ErrorDocument, type Issue } from '../../definitions/index.ts';
import { issuesText } from './issues-text.ts';
import { type Paint, plain } from './paint.ts';

export function errorText(paint: Paint, error: ErrorDocument): string {
  const lines = [
    `${paint.red(paint.bold('error'))} ${plain(error.message)} ${paint.dim(`(${error.code})`)}`,
    `${paint.dim('what to do:')} ${remedyOf(error)}`,
  ];
  const issues = issuesOf(error);
  return [...(issues.length > 0 ? [issuesText(paint, issues)] : []), ...lines].join('\n');
}

/** Where the details name the very remedy, that one; else the one of the table. */
function remedyOf({ code, details }: ErrorDocument): string {
  const own = typeof details === 'object' && details !== null && 'remedy' in details ? details['remedy'] : undefined;
  return typeof own === 'string' ? plain(own) : ERROR_CODES[code].remedy;
}

/** Those with a place in a file; others are in the message already. */
function issuesOf({ details }: ErrorDocument): readonly Issue[] {
  if (typeof details !== 'object' || details === null || !('issues' in details)) return [];
  const { issues } = details;
  if (!Array.isArray(issues)) return [];
  return (issues as readonly Issue[]).filter(({ file, code }) => typeof file === 'string' && typeof code === 'string');
}
