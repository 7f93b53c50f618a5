/**
 * A refusal for people: what happened, the code to look up, and what to do.
 */
import { ERROR_CODES, type ErrorDocument, type Issue } from '../../definitions/index.ts';
import { issuesText } from './issues-text.ts';
import { type Paint, plain } from './paint.ts';

export function errorText(paint: Paint, error: ErrorDocument): string {
  const issues = issuesOf(error);
  const remedy = remedyOf(error);
  return [
    ...(issues.length > 0 ? [issuesText(paint, issues)] : []),
    `${paint.red(paint.bold('error'))} ${plain(error.message)} ${paint.dim(`(${error.code})`)}`,
    ...(remedy === null ? [] : [`${paint.dim('what to do:')} ${remedy}`]),
  ].join('\n');
}

/** The one of the details, else of the table of codes; `null` where the message ends with one. */
function remedyOf({ code, message, details }: ErrorDocument): string | null {
  const own = typeof details === 'object' && details !== null && 'remedy' in details ? details['remedy'] : undefined;
  if (typeof own === 'string') return plain(own);
  return /; [^;]*`fermata [^;]*$/.test(message) ? null : ERROR_CODES[code].remedy;
}

/** Those with a place in a file; others are in the message already. */
function issuesOf({ details }: ErrorDocument): readonly Issue[] {
  if (typeof details !== 'object' || details === null || !('issues' in details)) return [];
  const { issues } = details;
  if (!Array.isArray(issues)) return [];
  return (issues as readonly Issue[]).filter(({ file, code }) => typeof file === 'string' && typeof code === 'string');
}
