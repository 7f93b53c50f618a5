/**
 * A fault of a definition: what, where, and in which node.
 */
import { ISSUE_CODES, type IssueCode } from './issue-codes.ts';
import type { Keys } from './json/path.ts';

/** One fault, as `fermata validate --json` prints it. */
export interface Issue {
  readonly code: IssueCode;
  readonly severity: 'error' | 'warning';
  /** JSON pointer into the document; `""` is the whole. */
  readonly path: string;
  /** Of the innermost node that holds the place. */
  readonly nodeId: string | null;
  readonly file: string | null;
  /** From 1; `null` where the document did not come as text. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Collects what the rules of one validation find. */
export class IssueList {
  readonly found: { readonly code: IssueCode; severity: Issue['severity']; keys: Keys; message: string }[] = [];

  add(code: IssueCode, keys: Keys, message: string): void {
    this.found.push({ code, severity: ISSUE_CODES[code].severity, keys, message });
  }

  /** For rules whose severity depends on the place. */
  addAs(kind: Pick<Issue, 'severity' | 'code'>, keys: Keys, message: string): void {
    this.found.push({ ...kind, keys, message });
  }
}

/** Whether any issue is an error. */
export function hasErrors(issues: readonly { readonly severity: Issue['severity'] }[]): boolean {
  return issues.some((issue) => issue.severity === 'error');
}

/** One line for people: `file:line:column: message (code, at path)`. */
export function describeIssue(issue: Issue): string {
  const place = [issue.file ?? '', issue.line ?? '', issue.column ?? ''].filter((part) => part !== '').join(':');
  const at = issue.path === '' ? issue.code : `${issue.code}, at ${issue.path}`;
  return `${place === '' ? '' : `${place}: `}${issue.severity}: ${issue.message} (${at})`;
}
