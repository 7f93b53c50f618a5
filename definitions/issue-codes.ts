/**
 * Every code of an {@link Issue}, in one table.
 *
 * Invariants:
 * 1. A code is never renamed nor given another meaning; editors and tests branch on it.
 * 2. The table gives the usual severity; a rule that can weaken an error to a warning says so where it does.
 */

export interface IssueCodeEntry {
  readonly severity: 'error' | 'warning';
  /** What is wrong and what to do, in one or two sentences. */
  readonly summary: string;
}

export const ISSUE_CODES = {
  'definition.syntax': { severity: 'error', summary: 'The text is not acceptable JSON or YAML.' },
  'definition.too_large': { severity: 'error', summary: 'The document is larger than a definition may be.' },
  'definition.missing_field': { severity: 'error', summary: 'A required field is missing.' },
  'definition.unknown_field': {
    severity: 'error',
    summary: 'The language has no such field here. Fields of your own begin with `x-`.',
  },
  'definition.invalid_type': { severity: 'error', summary: 'A field has a value of the wrong JSON type.' },
  'definition.invalid_value': { severity: 'error', summary: 'A field has a value outside what is allowed.' },
  'definition.unknown_node_type': { severity: 'error', summary: 'The language has no node type of this name.' },
  'definition.no_nodes': { severity: 'error', summary: 'A definition, branch or item needs at least one node.' },
  'definition.exclusive_fields': {
    severity: 'error',
    summary: 'Exactly one of several fields must be given, and none or more than one is.',
  },
  'definition.reserved_name': {
    severity: 'error',
    summary: 'The name is `__proto__`, `prototype`, `constructor`, or already has a meaning in expressions.',
  },
  'definition.duplicate_node_id': {
    severity: 'error',
    summary: 'A node id is used twice; ids are unique in the whole document.',
  },
  'definition.duplicate_branch_id': { severity: 'error', summary: 'Two branches of one node have the same id.' },
  'definition.unknown_node': { severity: 'error', summary: 'A link or `start` names a node that does not exist.' },
  'definition.jump_out_of_scope': {
    severity: 'error',
    summary: 'A link goes to a node of another scope; jumps stay within one list of nodes.',
  },
  'definition.unreachable_node': { severity: 'warning', summary: 'No path leads from the first node to this node.' },
  'definition.cycle_without_wait': {
    severity: 'error',
    summary:
      'Nodes lead back to each other and none of them can wait. A warning where a node of the cycle has `maxVisits` set.',
  },
  'definition.never_happens': {
    severity: 'warning',
    summary: 'A wait, reminder or match cannot come about: something else always comes before it or excludes it.',
  },
  'definition.no_effect': { severity: 'warning', summary: 'A field means nothing on this node.' },
  'definition.no_task_queue': {
    severity: 'warning',
    summary: 'A hand-written workflow has no `taskQueue`: workers that run definitions refuse it.',
  },
  'definition.unknown_outcome': {
    severity: 'error',
    summary:
      '`transitions` names an outcome that this node cannot have. A warning where an expression compares with one.',
  },
  'definition.quorum_impossible': {
    severity: 'error',
    summary: 'More decisions or branches are required than there can be.',
  },
  'definition.anyone_may_decide': {
    severity: 'warning',
    summary: 'An approval has no `assignees`, so everybody who can reach it may decide.',
  },
  'definition.self_call': {
    severity: 'error',
    summary:
      'Every run of the definition starts another run of the same definition, without end, directly or through others.',
  },
  'definition.invalid_schema': {
    severity: 'error',
    summary: 'A JSON Schema cannot be used: a remote `$ref`, or a pattern that is refused.',
  },
  'definition.expression_invalid': { severity: 'error', summary: 'An expression does not parse.' },
  'definition.unknown_name': {
    severity: 'error',
    summary: 'An expression reads a name or field that does not exist there.',
  },
  'definition.unknown_variable': {
    severity: 'error',
    summary: 'An expression reads, or `shared` names, a variable that nothing can have set before.',
  },
  'definition.unknown_node_reference': {
    severity: 'error',
    summary: 'An expression reads `nodes.<id>` of a node that does not exist or is not visible there.',
  },
  'definition.node_not_run_before': {
    severity: 'error',
    summary: 'An expression reads `nodes.<id>` of a node that cannot have run before, or is never reached.',
  },
  'definition.unknown_output_field': {
    severity: 'error',
    summary:
      'An expression reads a field that the schema of the input or of the handler does not have. A warning where the schema allows more fields.',
  },
  'definition.unknown_event_type': {
    severity: 'warning',
    summary: 'An expression tests for a type of event that cannot be there: no trigger or wait asks for it.',
  },
  'definition.undeclared_shared': {
    severity: 'error',
    summary: 'A branch or item sets a variable of the scope around it without naming it in `shared`.',
  },
  'definition.unknown_command': {
    severity: 'warning',
    summary:
      'No known worker has a handler of this command. An error where the handlers are given, as with `--commands`.',
  },
  'definition.unknown_calendar': {
    severity: 'warning',
    summary: 'A delay counts on a calendar that is not stored; without it the node ends with `CALENDAR_NOT_FOUND`.',
  },
  'definition.no_rollback': { severity: 'error', summary: '`undo: true`, but the handler has no `rollback`.' },
  'definition.payload_invalid': {
    severity: 'error',
    summary: "What a payload says without expressions does not fit the handler's input schema.",
  },
  'definition.secret_in_clear': {
    severity: 'warning',
    summary: 'A text looks like a password or key. Write `{ "$secret": "name" }`; workers put the value in.',
  },
  'definition.secret_outside_payload': {
    severity: 'error',
    summary: '`{ "$secret": … }` is known in command payloads only; elsewhere it would reach the history.',
  },
  'definition.unsupported': {
    severity: 'error',
    summary: 'This release does not run this part of the language yet.',
  },
} as const satisfies Record<string, IssueCodeEntry>;

export type IssueCode = keyof typeof ISSUE_CODES;
