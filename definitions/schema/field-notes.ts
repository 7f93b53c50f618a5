/**
 * What each field of a node's `config` means, and what holds where it is absent: said once, for the tables of
 * `docs/language.md` and for the hints of editors (`npm run generate`).
 *
 * What it is not: the form of a field; that is its schema, `nodes.ts`.
 */
import type { Node, NodeType } from '../types.ts';

export interface FieldNote {
  readonly means: string;
  /** As it is shown. Absent: nothing is done, or the field is required. */
  readonly default?: string;
  /** Where the language says more of its form than the schema can. */
  readonly form?: string;
}

type ConfigOf<T extends NodeType> = NonNullable<Extract<Node, { readonly type: T }>['config']>;
type Notes = { readonly [T in NodeType]: { readonly [F in keyof Required<ConfigOf<T>>]: FieldNote } };

const LIST = 'text or list of texts, as template';
const JOIN = '`"all"`, `"settled"`, `"any"`, `"first"` or `{ "count": n }`';

const output = { means: 'what leaves it', default: 'the output of the last node walked' };
const join = { means: 'when it is over, and with what', default: '`"all"`', form: JOIN };
const shared = { means: 'outer variables that may be written', default: 'none' };

export const FIELD_NOTES: Notes = {
  action: {
    command: { means: 'type of the handler' },
    version: { means: 'version of the handler', default: 'the one that publishing resolved, else 1' },
    payload: { means: 'what the handler gets; `{ "$secret": "…" }` in it is a secret', default: '`{}`' },
    retry: { means: 'how often and how soon a failed attempt is repeated (section 6)' },
    timeout: { means: 'longest one attempt may take', default: '`"60s"`, with `local` `"5s"`' },
    deadline: { means: 'longest all attempts may take, queueing included', default: 'none' },
    heartbeat: { means: 'longest time between two heartbeats of an attempt', default: 'that of the handler' },
    taskQueue: { means: 'workers that carry it out', default: 'those of the run' },
    priority: { means: 'before others in its task queue; 1 is the most urgent' },
    local: { means: 'run beside the interpreter: quick and idempotent work only', default: '`false`' },
    undo: {
      means: 'how it is taken back: `true`, by the `rollback` of its handler, or by a command',
      default: '`false`',
    },
  },
  condition: {
    expression: { means: 'gives true or false; anything else is an error' },
    onError: { means: 'what an error in the expression counts as', default: '`"fail"`' },
  },
  switch: {
    cases: { means: 'asked in order; the first that holds is taken' },
    defaultNodeId: { means: 'where it goes when none holds', default: 'none: `NO_MATCH`' },
  },
  assign: { vars: { means: 'all evaluated with the old values, then set together' } },
  delay: {
    delayMs: { means: 'so many milliseconds', form: 'number, as template' },
    duration: { means: 'so long; ISO 8601 may hold months and years', form: 'duration, as template' },
    until: {
      means: 'until that moment; without an offset by the clocks of `timeZone`',
      form: 'timestamp, as template',
    },
    cron: { means: 'until its next firing', form: 'cron pattern, as template' },
    timeZone: { means: 'whose clocks and calendar count', default: '`"UTC"`', form: 'zone or offset, as template' },
    calendar: { means: 'name of a calendar: working time only', default: 'none', form: 'text, as template' },
  },
  event: {
    event: { means: 'types that it waits for' },
    correlate: { means: 'paths of the envelope and what they must equal', default: 'none' },
    filter: { means: 'what must hold besides; `event` is the arriving one', default: 'none' },
    timeout: { means: 'longest it waits', default: 'none: for as long as the run' },
    lookback: { means: 'how far before the visit the event may have arrived', default: 'since the run began' },
  },
  approval: {
    title: { means: 'what people are asked, in a line', default: 'the name of the node' },
    description: { means: 'the rest of it', default: 'none' },
    assignees: { means: `who may decide: \`users\`, \`roles\`, \`queues\`, each a ${LIST}`, default: 'anybody' },
    form: { means: 'what the `data` of a decision must fit', default: 'anything' },
    outcomes: { means: 'what they can say; the first is the good one', default: '`["approved", "rejected"]`' },
    quorum: { means: 'how many different people for the first outcome', default: '1' },
    rejectAt: { means: 'how many for each of the others', default: '1' },
    exclude: { means: 'people who may not decide', default: 'nobody', form: LIST },
    subject: {
      means: 'what is approved, bound by its hash: a decision that names another is refused',
      default: 'none',
    },
    dueIn: { means: 'until when people should have decided; it is shown', default: 'none' },
    reminders: { means: 'when people are reminded, counted from the visit', default: 'none' },
    escalate: { means: 'when others may decide too, and what they are told', default: 'none' },
    timeout: { means: 'longest it waits', default: 'none: for as long as the run' },
    priority: { means: 'for the lists of people; 1 is the most urgent', default: 'none' },
  },
  parallel: { branches: { means: 'what is walked side by side; an `optional` one may fail' }, join, shared },
  forEach: {
    items: { means: 'gives the list' },
    as: { means: 'name of the item in expressions', default: '`"item"`' },
    concurrency: { means: 'how many items side by side; 1: one after the other', default: '10' },
    nodes: { means: 'walked once for each item' },
    output: { ...output, means: 'what an item leaves' },
    join,
    shared,
  },
  scope: {
    nodes: { means: 'walked as one step' },
    output,
    timeout: { means: 'longest all of it may take: `TIMEOUT`', default: 'none' },
    undo: { means: 'what was done inside is taken back when an error leaves it', default: '`false`' },
  },
  workflow: {
    definitionId: { means: 'the definition; this or `workflowType`' },
    version: { means: 'which version of it', default: '`"active"`, fixed when the child begins' },
    workflowType: { means: 'a hand-written Temporal workflow' },
    input: { means: 'what the child gets', default: '`null`' },
    taskQueue: { means: 'workers of a hand-written workflow', default: 'those of the run' },
    wait: { means: 'whether it waits for the end of the child', default: '`true`' },
    timeout: { means: 'longest it waits; the child is then cancelled: `TIMEOUT`', default: 'none' },
  },
  emit: {
    event: { means: 'type of the event' },
    subject: { means: 'what it is about', default: 'none', form: 'text, as template' },
    data: { means: 'what it says', default: '`null`' },
  },
  end: {
    status: { means: 'how the run ends', default: '`"completed"`' },
    output: { means: 'result of the run', default: 'as if the run had ended by itself' },
    error: { means: 'of a run that ends otherwise', default: '`FAILED` or `CANCELLED`' },
  },
};
