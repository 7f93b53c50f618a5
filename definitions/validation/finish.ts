/**
 * From what the rules found to the issues that are told.
 */
import type { Issue, IssueList } from '../issue.ts';
import { type Keys, toPointer, valueAt } from '../json/path.ts';
import type { Position } from '../json/positions.ts';
import type { Json } from '../types.ts';
import { nodeKeysAt } from './outline.ts';

/** Most issues that one check reports; a document with more has nothing to gain from the rest. */
export const MAX_ISSUES = 1000;

interface Place {
  readonly document: Json;
  readonly file: string | null;
  readonly locate: (keys: Keys) => Position | null;
}

/** The issues as they are told: errors first where there are too many, then in the order of the text. */
export function finishIssues(list: IssueList, { document, file, locate }: Place): Issue[] {
  const errorsFirst = list.found.length > MAX_ISSUES ? list.found.toSorted(bySeverity) : list.found;
  const issues = errorsFirst.slice(0, MAX_ISSUES).map(({ code, severity, keys, message }): Issue => {
    const position = locate(keys);
    return {
      code,
      severity,
      path: toPointer(keys),
      nodeId: nodeIdAt(document, keys),
      file,
      line: position?.line ?? null,
      column: position?.column ?? null,
      message,
    };
  });
  return issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

function bySeverity(left: { readonly severity: string }, right: { readonly severity: string }): number {
  return Number(left.severity === 'warning') - Number(right.severity === 'warning');
}

function nodeIdAt(document: Json, keys: Keys): string | null {
  const nodeKeys = nodeKeysAt(document, keys);
  if (nodeKeys === null) return null;
  const id = valueAt(document, [...nodeKeys, 'id']);
  return typeof id === 'string' ? id : null;
}
