/**
 * What the language has and this release does not run yet.
 *
 * What it is: one table; a later release deletes lines. What it is not: part of the check of a definition, which knows
 * the whole language.
 */
import { type Issue, IssueList } from '../issue.ts';
import type { Keys } from '../json/path.ts';
import type { Definition, Json, JsonObject } from '../types.ts';
import { finishIssues } from './finish.ts';
import { type Outline, outlineOf } from './outline.ts';
import { triggersOf } from './triggers.ts';

const TRIGGERS = ['schedule', 'webhook'] as const;
const DOCUMENT_FIELDS: readonly {
  readonly field: string;
  readonly applies: (value: Json) => boolean;
  readonly what: string;
}[] = [{ field: 'onFailure', applies: (value) => value === 'hold', what: '"onFailure": "hold"' }];

/**
 * What this release cannot run of a valid definition, one issue for each place; empty when it runs all of it.
 * Code `definition.unsupported`.
 */
export function unsupportedIssues(definition: Definition): Issue[] {
  const document = definition as unknown as JsonObject;
  const issues = new IssueList();
  checkSupport(
    outlineOf(document, () => true),
    issues,
  );
  return finishIssues(issues, { document, file: null, locate: () => null });
}

/** The same as a rule, for checks that know places. */
export function checkSupport({ document }: Outline, issues: IssueList): void {
  const add = (keys: Keys, what: string): void => {
    const message = `${what} is part of the language, but this release does not run it yet`;
    issues.add('definition.unsupported', keys, message);
  };
  for (const { field, applies, what } of DOCUMENT_FIELDS) {
    const value = document[field];
    if (value !== undefined && applies(value)) add([field], what);
  }
  for (const { keys, trigger } of triggersOf(document['trigger'])) {
    for (const kind of TRIGGERS) if (trigger[kind] !== undefined) add(keys, `a ${kind} trigger`);
  }
}
