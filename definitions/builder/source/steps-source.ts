/**
 * Nodes as the calls of a builder that make them.
 *
 * Invariants:
 * 1. A node with fields that no call takes is written as it stands, by `.node(…)`.
 */
import { isObject } from '../../json/json-kinds.ts';
import type { Branch, Json, JsonObject, Node } from '../../types.ts';
import { around, type Code } from './layout.ts';
import type { Place } from './scopes.ts';
import { keyText, literal, quoted, record, template } from './values.ts';

/** A node as JSON, and where it stands. */
interface Written {
  readonly id: string;
  readonly config: JsonObject;
  /** Fields of its flow, and those of the config that stand beside them. */
  flow(...fields: readonly string[]): Code | undefined;
  readonly place: Place;
}

const FLOW = ['name', 'description', 'nextNodeId', 'fallbackNodeId', 'catch', 'transitions', 'maxVisits'];
const ACTION = ['version', 'retry', 'timeout', 'deadline', 'heartbeat', 'taskQueue', 'priority', 'local'];
const NONE: Code = 'undefined';

/** Fields of each type's config. */
const CONFIG: { readonly [Type in Node['type']]: readonly string[] } = {
  action: ['command', 'payload', 'undo', ...ACTION],
  condition: ['expression', 'onError'],
  switch: ['cases', 'defaultNodeId'],
  assign: ['vars'],
  delay: ['delayMs', 'duration', 'until', 'cron', 'timeZone', 'calendar'],
  event: ['event', 'correlate', 'filter', 'timeout', 'lookback'],
  approval: [
    'title',
    'description',
    'assignees',
    'form',
    'outcomes',
    'quorum',
    'rejectAt',
    'exclude',
    'subject',
    'dueIn',
    'reminders',
    'escalate',
    'timeout',
    'priority',
  ],
  parallel: ['branches', 'join', 'shared'],
  forEach: ['items', 'as', 'concurrency', 'nodes', 'output', 'join', 'shared'],
  scope: ['nodes', 'output', 'timeout', 'undo'],
  workflow: ['definitionId', 'workflowType', 'version', 'input', 'taskQueue', 'wait', 'timeout'],
  emit: ['event', 'subject', 'data'],
  end: ['status', 'output', 'error'],
};

/** The calls that make the nodes of a scope, and the place behind them. */
export function stepsOf(
  nodes: readonly Node[],
  place: Place,
): { readonly calls: readonly Code[]; readonly end: Place } {
  let here = place;
  const calls = nodes.map((node, index) => {
    const call = stepOf(node, nodes[index + 1], here);
    here = here.behind(node);
    return call;
  });
  return { calls, end: here };
}

function stepOf(node: Node, following: Node | undefined, place: Place): Code {
  const { id, type, config = {}, ...rest } = node as unknown as JsonObject & Node;
  const fields = config as unknown as JsonObject;
  if (!isUsual(type, fields, rest)) return call('node', [literal(node as unknown as Json)]);
  const { nextNodeId: _, ...others } = rest as JsonObject;
  const links = { ...nextOf(node, following), ...others };
  const flow = (...names: readonly string[]): Code | undefined => {
    const beside = names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]] as const);
    const all = [...Object.entries(links), ...beside] as [string, Json][];
    return all.length === 0
      ? undefined
      : record(
          all.map(([name, value]) => [name, 'json', value]),
          { scope: place },
        );
  };
  const args = ARGUMENTS[type]({ id, config: fields, flow, place });
  if (type === 'end' && node.config === undefined) args[0] = undefined;
  return call(type, [quoted(id), ...args]);
}

function isUsual(type: Node['type'], config: JsonObject, rest: object): boolean {
  const branches = (config['branches'] ?? []) as readonly object[];
  const known = ['id', 'nodes', 'output', 'optional'];
  return (
    Object.keys(rest).every((field) => FLOW.includes(field)) &&
    Object.keys(config).every((field) => CONFIG[type].includes(field)) &&
    branches.every((branch) => Object.keys(branch).every((field) => known.includes(field))) &&
    branches.every((branch) => (branch as Branch).optional !== false)
  );
}

/** What must be said of where a node leads. */
function nextOf(node: Node, following: Node | undefined): JsonObject {
  const implied = node.type === 'end' || node.type === 'switch' ? undefined : following?.id;
  const { nextNodeId } = node;
  return nextNodeId === implied ? {} : { nextNodeId: nextNodeId ?? null };
}

type Arguments = (Code | undefined)[];

const ARGUMENTS: { readonly [Type in Node['type']]: (node: Written) => Arguments } = {
  action: ({ id, config, flow, place }) => {
    const payload = config['payload'] === undefined ? undefined : template(config['payload'], place);
    const undo = undoOf(config['undo'], place.behind({ id, type: 'action' } as Node));
    return [text(config['command']), payload, joined(flow(...ACTION), undo)];
  },
  condition: ({ config, flow }) => [text(config['expression']), flow('onError')],
  switch: ({ config, flow }) => [literal(config), flow()],
  assign: ({ config, flow, place }) => [template(config['vars'] ?? {}, place), flow()],
  delay: ({ config, flow, place }) => {
    const { duration } = config;
    const isPlain = typeof duration === 'string' && !duration.includes('${') && Object.keys(config).length === 1;
    return [isPlain ? quoted(duration) : template(config, place), flow()];
  },
  event: ({ config, flow, place }) => {
    const { event = null, correlate, ...rest } = config;
    const others = Object.entries(rest).map(([name, value]) => [name, 'json', value] as const);
    return [literal(event), record([['correlate', 'template', correlate], ...others], { scope: place }), flow()];
  },
  approval: ({ config, flow, place }) => {
    const kind = (name: string): 'json' | 'template' => (PLAIN_OF_APPROVAL.has(name) ? 'json' : 'template');
    const fields = Object.entries(config).map(([name, value]) => [name, kind(name), value] as const);
    return [record(fields, { scope: place }), flow()];
  },
  parallel: ({ config, flow, place }) => {
    const branches = config['branches'] as unknown as readonly Branch[];
    const parts = branches.map(({ id, nodes, output }) =>
      around(`${keyText(id)}: `, body('branch', { nodes, output }, place)),
    );
    const optional = branches.filter((branch) => branch.optional === true).map(({ id }) => id);
    const beside: Code | undefined = optional.length === 0 ? undefined : around('optional: ', literal(optional));
    return [{ open: '{', parts, close: '}', spaced: true }, joined(flow('join', 'shared'), beside)];
  },
  forEach: ({ config, flow, place }) => {
    const items = ['items', 'as', 'concurrency'].map((name) => [name, 'json', config[name]] as const);
    const as = typeof config['as'] === 'string' ? config['as'] : 'item';
    return [record(items, { scope: place }), body('each', config, place.inside([as, 'index'])), flow('join', 'shared')];
  },
  scope: ({ config, flow, place }) => [body('scope', config, place), flow('timeout', 'undo')],
  workflow: ({ config, flow, place }) => {
    const { definitionId, workflowType, input } = config;
    const child = definitionId === undefined ? literal({ workflowType: workflowType ?? null }) : literal(definitionId);
    return [
      child,
      input === undefined ? undefined : template(input, place),
      flow('version', 'taskQueue', 'wait', 'timeout'),
    ];
  },
  emit: ({ config, flow, place }) => {
    const { event = null, subject, data } = config;
    const beside = subject === undefined ? undefined : around('subject: ', template(subject, place));
    return [literal(event), data === undefined ? undefined : template(data, place), joined(flow(), beside)];
  },
  end: ({ config, flow, place }) => [template(config, place), flow()],
};

const PLAIN_OF_APPROVAL = new Set([
  'form',
  'outcomes',
  'quorum',
  'rejectAt',
  'dueIn',
  'reminders',
  'timeout',
  'priority',
]);

/** `(branch) => branch.action(…)` */
function body(
  name: string,
  scope: { readonly nodes?: unknown; readonly output?: Json | undefined },
  place: Place,
): Code {
  const { calls, end } = stepsOf((scope.nodes ?? []) as readonly Node[], place);
  const output = scope.output === undefined ? [] : [call('output', [template(scope.output, end)])];
  return { head: `(${name}) => ${name}`, calls: [...calls, ...output] };
}

function undoOf(undo: Json | undefined, place: Place): Code | undefined {
  if (undo === undefined) return undefined;
  if (!isObject(undo)) return around('undo: ', literal(undo));
  const { payload, ...rest } = undo;
  const command = record(
    Object.entries(rest).map(([name, value]) => [name, 'json', value]),
    { scope: place },
  );
  const beside = payload === undefined ? undefined : around('payload: ', template(payload, place));
  return around('undo: ', joined(command, beside) ?? '{}');
}

/** An object with one more part. */
function joined(object: Code | undefined, part: Code | undefined): Code | undefined {
  if (part === undefined) return object;
  const parts = typeof object === 'object' && 'parts' in object ? object.parts : [];
  return { open: '{', parts: [...parts, part], close: '}', spaced: true };
}

function text(value: Json | undefined): string {
  return quoted(typeof value === 'string' ? value : '');
}

/** A call, without the arguments at its end that are not there. */
export function call(name: string, args: readonly (Code | undefined)[]): Code {
  const last = args.findLastIndex((arg) => arg !== undefined);
  return { open: `.${name}(`, parts: args.slice(0, last + 1).map((arg) => arg ?? NONE), close: ')' };
}
