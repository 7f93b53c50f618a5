/**
 * What the language has and this release does not run yet.
 *
 * What it is: one table; a later release deletes lines. What it is not: part of the check of a definition, which knows
 * the whole language.
 */
import { type Issue, IssueList } from '../issue.ts';
import { isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { Definition, Json, JsonObject, NodeType } from '../types.ts';
import { finishIssues } from './finish.ts';
import { type NodeOutline, type Outline, outlineOf } from './outline.ts';
import { triggersOf } from './triggers.ts';

const TRIGGERS = ['schedule', 'webhook'] as const;
const CONFIG_FIELDS: ReadonlyMap<string, readonly string[]> = new Map<NodeType, readonly string[]>([
  ['approval', ['form', 'subject', 'reminders', 'escalate']],
]);
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
export function checkSupport({ document, nodes }: Outline, issues: IssueList): void {
  const add: Add = (keys, what) => {
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
  for (const node of nodes) checkNode(node, add);
}

type Add = (keys: Keys, what: string) => void;

function checkNode(node: NodeOutline, add: Add): void {
  const config = node.raw['config'];
  if (!isObject(config)) return;
  const keys = [...node.keys, 'config'];
  for (const field of CONFIG_FIELDS.get(node.type ?? '') ?? []) {
    if (config[field] !== undefined) add([...keys, field], `"${field}" of a node of type ${node.type}`);
  }
}
