/**
 * Every place of a document that holds an expression or a template, with what can be read there.
 *
 * Invariants:
 * 1. The table below is the only list of these places. A new field of the language gets its line here and is then
 *    checked for syntax, names, references and secrets.
 */
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { Json } from '../types.ts';
import type { NodeOutline, Outline, ScopeOutline } from './outline.ts';
import { triggersOf } from './triggers.ts';

export interface Site {
  readonly keys: Keys;
  readonly kind: 'expression' | 'template';
  readonly value: Json;
  /** What can be read: all names of a run at `place`, or only those of a moment outside of any run's walk. */
  readonly names: 'run' | ReadonlySet<string>;
  /** The node, or the scope at whose end it is evaluated; `null` outside of nodes. */
  readonly place: { readonly node: NodeOutline } | { readonly endOf: ScopeOutline } | null;
  /** Evaluated when the node's command has succeeded, so that its own output can be read. */
  readonly afterSelf: boolean;
  /** A payload, the only place where `{ "$secret": … }` is put in by workers. */
  readonly isPayload: boolean;
}

/** The names that every expression of a run can read. */
export const RUN_NAMES: readonly string[] = ['event', 'input', 'vars', 'nodes', 'run', 'now', 'error'];
const BEFORE_RUN = new Set(['event', 'input', 'run', 'now']);
const AT_EVENT = new Set(['event', 'now']);

/** All sites, those of the document first, then node by node. */
export function sitesOf(outline: Outline): readonly Site[] {
  const sites: Site[] = [];
  addDocumentSites(outline, sites);
  for (const node of outline.nodes) {
    for (const field of FIELDS.get(node.type ?? '') ?? []) addField(node, field, sites);
    if (node.type === 'approval') addTitle(node, sites);
    for (const scope of node.scopes) addScopeOutput(scope, sites);
  }
  return sites;
}

interface Field {
  /** From the node's config; `*` stands for every key or index. */
  readonly path: readonly string[];
  readonly kind: Site['kind'];
  readonly afterSelf?: true;
  readonly isPayload?: true;
}

const template = (...path: string[]): Field => ({ path, kind: 'template' });
const expression = (...path: string[]): Field => ({ path, kind: 'expression' });

const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map([
  [
    'action',
    [
      { ...template('payload'), isPayload: true },
      { ...template('undo', 'payload'), isPayload: true, afterSelf: true },
    ],
  ],
  ['condition', [expression('expression')]],
  ['switch', [expression('cases', '*', 'when')]],
  ['assign', [template('vars', '*')]],
  ['delay', ['delayMs', 'duration', 'until', 'cron', 'timeZone', 'calendar'].map((field) => template(field))],
  ['event', [template('correlate', '*'), expression('filter')]],
  [
    'approval',
    [
      template('title'),
      template('description'),
      template('assignees', '*'),
      template('exclude'),
      template('subject'),
      template('escalate', '*', 'assignees', '*'),
      template('escalate', '*', 'notify'),
    ],
  ],
  ['forEach', [expression('items')]],
  ['workflow', [template('input')]],
  ['emit', [template('subject'), template('data')]],
  ['end', [template('output'), template('error', 'message')]],
]);

function addDocumentSites({ document, scopes }: Outline, sites: Site[]): void {
  const add = (keys: Keys, value: Json | undefined, rest: Partial<Site>): void => {
    if (value === undefined) return;
    sites.push({
      keys,
      kind: 'template',
      value,
      names: BEFORE_RUN,
      place: null,
      afterSelf: false,
      isPayload: false,
      ...rest,
    });
  };
  for (const { keys, trigger } of triggersOf(document['trigger'])) {
    add([...keys, 'filter'], trigger['filter'], { kind: 'expression', names: AT_EVENT });
    add([...keys, 'input'], trigger['input'], { names: AT_EVENT });
  }
  const { vars, entity, key, output } = document;
  for (const [name, value] of entriesOf(vars)) add(['vars', name], value, {});
  for (const [name, value] of entriesOf(entity)) add(['entity', name], value, {});
  if (isObject(key)) add(['key', 'value'], key['value'], {});
  const [top] = scopes;
  if (top !== undefined) add(['output'], output, { names: 'run', place: { endOf: top } });
}

function addField(node: NodeOutline, field: Field, sites: Site[]): void {
  const visit = (value: Json | undefined, keys: Keys, rest: readonly string[]): void => {
    const [next, ...others] = rest;
    if (value === undefined) return;
    if (next === undefined) {
      const { kind, afterSelf = false, isPayload = false } = field;
      if (kind === 'expression' && typeof value !== 'string') return;
      sites.push({ keys, kind, value, names: 'run', place: { node }, afterSelf, isPayload });
    } else if (next === '*') {
      for (const [key, child] of entriesOf(value)) visit(child, [...keys, key], others);
    } else if (isObject(value) && Object.hasOwn(value, next)) {
      visit(value[next], [...keys, next], others);
    }
  };
  visit(node.raw['config'], [...node.keys, 'config'], field.path);
}

/** An approval without a title has its name for one, which is then a template too. */
function addTitle(node: NodeOutline, sites: Site[]): void {
  const { config, name } = node.raw;
  if (name === undefined || (isObject(config) && config['title'] !== undefined)) return;
  const keys = [...node.keys, 'name'];
  sites.push({
    keys,
    kind: 'template',
    value: name,
    names: 'run',
    place: { node },
    afterSelf: false,
    isPayload: false,
  });
}

/** `output` stands beside the `nodes` of a branch, item or scope and is evaluated at its end. */
function addScopeOutput(scope: ScopeOutline, sites: Site[]): void {
  const keys = [...scope.keys.slice(0, -1), 'output'];
  const value = scope.owner['output'];
  if (value === undefined) return;
  sites.push({
    keys,
    kind: 'template',
    value,
    names: 'run',
    place: { endOf: scope },
    afterSelf: false,
    isPayload: false,
  });
}

function entriesOf(value: Json | undefined): readonly (readonly [string | number, Json])[] {
  if (isList(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}
