/**
 * Judges one reference of an expression: does the name exist there, and can something have put a value into it before?
 */
import type { Reference } from '../expressions/index.ts';
import type { HandlerCatalog } from '../handler-catalog.ts';
import type { IssueCode } from '../issue-codes.ts';
import { isObject } from '../json/json-kinds.ts';
import type { Json } from '../types.ts';
import type { Flow } from './flow.ts';
import { meantHint } from './meant.ts';
import { suggestion } from './nearest.ts';
import type { NodeOutline, ScopeOutline } from './outline.ts';
import { missingField, outputSchemaOf } from './output-schemas.ts';
import { RUN_NAMES, type Site } from './sites.ts';

/** One path that an expression may read. `guarded`: only where a test has said that it is there. */
export type Read = Pick<Reference, 'path' | 'guarded'>;

export interface Judgement {
  readonly site: Site;
  readonly steps: ReturnType<Flow['stepsOf']>;
  readonly flow: Flow;
  readonly handlers: HandlerCatalog | null;
  readonly inputSchema: Json | undefined;
  readonly report: (code: IssueCode, message: string, severity?: 'error' | 'warning') => void;
}

/** The envelope of an event. */
export const EVENT_FIELDS: readonly string[] = ['id', 'type', 'source', 'subject', 'time', 'data'];

const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['event', EVENT_FIELDS],
  ['run', ['id', 'definitionId', 'version', 'startedAt', 'tenant', 'entity', 'initiator']],
  ['error', ['type', 'message', 'nodeId', 'details', 'cause']],
]);
const NODE_FIELDS = ['output', 'outcome', 'error'];

/** Adds what is wrong with a reference. A guarded one may be absent, but must name something that exists. */
export function judgeReference(reference: Read, judgement: Judgement): void {
  const [name = '', field] = reference.path;
  const { site, steps, flow, report } = judgement;
  const names = namesAt(judgement);
  if (!names.has(name)) {
    report('definition.unknown_name', `"${name}" cannot be read here${suggestion(name, names)}`);
    return;
  }
  if (name === 'error' && !reference.guarded && !flow.canHaveError(steps)) {
    report('definition.unknown_name', '"error" is there only on paths entered through catch or fallbackNodeId');
  } else if (field === undefined) {
    return;
  } else if (name === 'nodes') {
    judgeNode(reference, field, judgement);
  } else if (name === 'vars') {
    if (reference.guarded || flow.canBeSet(field, steps)) return;
    const hint = suggestion(field, flow.variables());
    report('definition.unknown_variable', `nothing can have set the variable "${field}" before${hint}`);
  } else if (name === 'input') {
    const schema = judgement.inputSchema;
    if (schema !== undefined) judgeFields(reference, { schema, from: 1, what: 'the input', report });
  } else if (site.names === 'run' || name === 'event' || name === 'run') {
    judgeField(reference, FIELDS.get(name), report);
  }
}

/** The names that can be read at a site, those of the loops around it included. */
function namesAt({ site, steps }: Judgement): ReadonlySet<string> {
  if (site.names !== 'run') return site.names;
  const names = new Set(RUN_NAMES);
  for (const { scope } of steps) {
    if (scope.kind !== 'item' || scope.holder === null) continue;
    const as = scope.owner['as'];
    names.add(typeof as === 'string' ? as : 'item').add('index');
  }
  return names;
}

function judgeField(reference: Read, known: readonly string[] | undefined, report: Judgement['report']): void {
  const [name, field = ''] = reference.path;
  if (known === undefined || known.includes(field)) return;
  const message = `"${name}" has no field "${field}"${suggestion(field, known)}; it has ${known.join(', ')}`;
  report('definition.unknown_name', message);
}

function judgeNode(reference: Read, id: string, { site, steps, flow, handlers, report }: Judgement): void {
  const node = flow.visible(id, steps);
  if (node === null) {
    report('definition.unknown_node_reference', `no node "${id}" is visible here${meantHint(id, scopesOf(steps))}`);
    return;
  }
  const [, , field] = reference.path;
  if (field !== undefined && !NODE_FIELDS.includes(field)) {
    const hint = suggestion(field, NODE_FIELDS);
    report('definition.unknown_name', `"nodes.${id}" has output, outcome and error, no "${field}"${hint}`);
    return;
  }
  if (reference.guarded) return;
  if (!flow.canHaveRun(node, steps) && !isOwnOutput(node, site)) {
    const why = flow.isReached(node) ? 'cannot have run before this place' : 'is never reached by a run';
    report('definition.node_not_run_before', `the node "${id}" ${why}`);
    return;
  }
  const schema = field === 'output' ? outputSchemaOf(node, handlers) : undefined;
  if (schema !== undefined) judgeFields(reference, { schema, from: 3, what: `the output of "${id}"`, report });
}

function scopesOf(steps: Judgement['steps']): readonly ScopeOutline[] {
  return steps.map(({ scope }) => scope);
}

function isOwnOutput(node: NodeOutline, { place, afterSelf }: Site): boolean {
  return afterSelf && place !== null && 'node' in place && place.node === node;
}

interface FieldsOf {
  readonly schema: Json;
  /** Where the fields begin in the reference's path. */
  readonly from: number;
  readonly what: string;
  readonly report: Judgement['report'];
}

function judgeFields(reference: Read, { schema, from, what, report }: FieldsOf): void {
  if (reference.guarded || !(isObject(schema) || typeof schema === 'boolean')) return;
  const missing = missingField(schema, reference.path.slice(from));
  if (missing === null) return;
  const message = `the schema of ${what} has no field "${missing.field}"${suggestion(missing.field, missing.known)}`;
  report('definition.unknown_output_field', message, missing.open ? 'warning' : 'error');
}
