/**
 * Issues of a definition, one a line, in the form that editors and terminals make links of.
 */
import type { Issue } from '../../definitions/index.ts';
import { type Paint, plain } from './paint.ts';

/** `file:line:column severity code message`; the path instead of line and column where those are not known. */
export function issueText(paint: Paint, issue: Issue): string {
  const place =
    issue.line === null
      ? [issue.file, issue.path].filter((part) => part !== null && part !== '').join(':')
      : [issue.file, issue.line, issue.column].filter((part) => part !== null).join(':');
  const severity = issue.severity === 'error' ? paint.red('error') : paint.yellow('warning');
  return `${place === '' ? '' : `${plain(place)} `}${severity} ${paint.dim(issue.code)} ${plain(issue.message)}`;
}

export function issuesText(paint: Paint, issues: readonly Issue[]): string {
  return issues.map((issue) => issueText(paint, issue)).join('\n');
}

/** `2 errors, 1 warning`; empty for none. */
export function countText(issues: readonly Issue[]): string {
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const parts = [plural(errors, 'error'), plural(issues.length - errors, 'warning')];
  return parts.filter((part) => !part.startsWith('0 ')).join(', ');
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
