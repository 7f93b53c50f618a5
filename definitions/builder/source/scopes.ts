/**
 * Which paths the source of a builder can read as properties, at a place of a definition.
 *
 * What it is not: a check. Whatever is not known here is written as CEL and means the same.
 */
import { isList } from '../../json/json-kinds.ts';
import type { Definition, Json, Node } from '../../types.ts';
import type { Scope } from './values.ts';

/** What is known at a place inside a definition. */
export interface Place extends Scope {
  /** The place behind one more node. */
  behind(node: Node): Place;
  /** Inside a loop that adds these names. */
  inside(locals: readonly string[]): Place;
}

interface Known {
  readonly hasEvent: boolean;
  /** Nodes that can be read here. */
  readonly nodes: ReadonlyMap<string, Node['type']>;
  readonly locals: readonly string[];
  /** Whether the run walks; before it there are no variables and nodes. */
  readonly walks: boolean;
  readonly imports: Set<string>;
}

const EVENT = new Set(['id', 'type', 'source', 'time']);
const RUN = new Set(['id', 'definitionId', 'version', 'startedAt', 'tenant']);
const ERROR = new Set(['type', 'message', 'nodeId', 'details']);
/** Types of nodes whose output can be anything: none of its fields is unknown to the compiler. */
const OPEN = new Set<string | undefined>(['action', 'workflow']);
/** Types of nodes whose output has `data` of any kind. */
const WITH_DATA = new Set<string | undefined>(['approval', 'event']);
const KEYWORDS = new Set(
  'await case catch class debugger default delete do enum export extends finally instanceof interface new private protected public static super switch this throw try typeof with yield cel text'.split(
    ' ',
  ),
);

/** The places of a definition before its run, and at its first node. */
export function placesOf(
  definition: Definition,
  imports: Set<string>,
): { readonly head: Place; readonly first: Place } {
  const trigger = (definition.trigger ?? []) as unknown as Json;
  const triggers = isList(trigger) ? trigger : [trigger];
  const hasEvent =
    triggers.length !== (isList(trigger) ? 1 : 0) &&
    triggers.every((trigger) => Object.hasOwn(trigger as object, 'event'));
  const known = { hasEvent, nodes: new Map(), locals: [], imports };
  return { head: placeOf({ ...known, walks: false }), first: placeOf({ ...known, walks: true }) };
}

/** In a trigger there is always an event. */
export function triggerPlace(imports: Set<string>): Place {
  return placeOf({ hasEvent: true, nodes: new Map(), locals: [], imports, walks: false });
}

function placeOf(known: Known): Place {
  return {
    imports: known.imports,
    knows: (keys) => knows(known, keys),
    behind: ({ id, type }) => placeOf({ ...known, nodes: new Map([...known.nodes, [id, type]]) }),
    inside: (locals) =>
      placeOf({ ...known, locals: [...known.locals, ...locals.filter((name) => !KEYWORDS.has(name))] }),
  };
}

function knows(known: Known, [root = '', first = '', ...rest]: readonly string[]): boolean {
  if (known.locals.includes(root)) return root !== 'index' || first === '';
  switch (root) {
    case 'event':
      return known.hasEvent && (first === 'data' || (EVENT.has(first) && rest.length === 0));
    case 'input':
      return true;
    case 'now':
      return first === '';
    case 'run':
      return rest.length === 0 && RUN.has(first);
    case 'vars':
      return known.walks && first !== '';
    case 'error':
      return known.walks && ERROR.has(first) && (rest.length === 0 || first === 'details');
    case 'nodes':
      return known.walks && knowsOutput(known.nodes.get(first), rest);
    default:
      return false;
  }
}

function knowsOutput(type: string | undefined, [field, part, ...rest]: readonly string[]): boolean {
  if (type === undefined) return false;
  if (field === 'outcome') return part === undefined;
  if (field !== 'output') return false;
  if (OPEN.has(type)) return true;
  return WITH_DATA.has(type) && (part === 'data' || (part === 'outcome' && type === 'approval' && rest.length === 0));
}
