/**
 * Random definitions: any graph of nodes in any nest of scopes.
 */
import fc from 'fast-check';
import type { Definition, Node } from '../../definitions/types.ts';

/** Nodes of a scope at each depth, the outermost first. */
const SIZES = [5, 3, 2];
/** The ids that decisions of the mocks name: enough to meet some of the nodes. */
export const nodeId = fc.integer({ min: 0, max: 8 }).map((n) => `n${n}`);
const command = fc.constantFrom('a', 'b', 'c');
export const short = fc.integer({ min: 1, max: 30 }).map((n) => `${n}s`);

const undo = fc.oneof(
  fc.constant(false),
  fc.constant(true),
  command.map((undoing) => ({ command: undoing })),
);

interface Body {
  readonly type: string;
  readonly config: object;
  /** Scopes inside, to be put into the config once their nodes have ids. */
  readonly scopes?: readonly (readonly Part[])[];
}

/** A node before it has an id; its links are places in its own scope. */
interface Part {
  readonly body: Body;
  readonly links: { readonly nextNodeId?: number; readonly fallbackNodeId?: number };
  readonly caught: number | undefined;
}

const leaf: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ type: fc.constant('action'), config: fc.record({ command, undo, timeout: short }) }),
  fc.record({
    type: fc.constant('condition'),
    config: fc.record({ expression: fc.constantFrom('vars.n < 2', 'vars.n % 2 == 0', 'true') }),
  }),
  fc.record({ type: fc.constant('assign'), config: fc.constant({ vars: { n: '${vars.n + 1}' } }) }),
  fc.record({ type: fc.constant('delay'), config: fc.record({ duration: short }) }),
  fc.record({
    type: fc.constant('approval'),
    config: fc.record({ timeout: short, quorum: fc.integer({ min: 1, max: 2 }) }),
  }),
  fc.record({
    type: fc.constant('end'),
    config: fc.record({ status: fc.constantFrom('completed', 'failed', 'cancelled') }),
  }),
);

const join = fc.constantFrom('all', 'settled', 'any', 'first', { count: 1 });

function holder(depth: number): fc.Arbitrary<Body> {
  const inner = scopeOf(depth + 1);
  return fc.oneof(
    fc
      .record({ join, branches: fc.array(inner, { minLength: 2, maxLength: 3 }) })
      .map(({ join: joined, branches }) => ({
        type: 'parallel',
        config: { join: joined, shared: ['n'] },
        scopes: branches,
      })),
    fc.record({ join, nodes: inner, concurrency: fc.integer({ min: 1, max: 3 }) }).map(({ nodes, ...config }) => ({
      type: 'forEach',
      config: { items: '[1, 2, 3]', shared: ['n'], ...config },
      scopes: [nodes],
    })),
    fc
      .record({ nodes: inner, undo: fc.boolean(), timeout: short })
      // Quarters of a second: at no moment at which anything else is due.
      .map(({ nodes, timeout, ...config }) => ({
        type: 'scope',
        config: { ...config, timeout: `${timeout}250ms` },
        scopes: [nodes],
      })),
  );
}

function scopeOf(depth: number): fc.Arbitrary<readonly Part[]> {
  const size = SIZES[depth] as number;
  const place = fc.integer({ min: 0, max: size - 1 });
  const body =
    depth + 1 < SIZES.length ? fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: holder(depth) }) : leaf;
  const part = fc.record({
    body,
    links: fc.record({ nextNodeId: place, fallbackNodeId: place }, { requiredKeys: [] }),
    caught: fc.option(place, { nil: undefined }),
  });
  return fc.array(part, { minLength: size, maxLength: size });
}

/** Gives ids in the order of the document. */
function nodesOf(parts: readonly Part[], ids: { next: number }): Node[] {
  const first = ids.next;
  ids.next += parts.length;
  const idAt = (place: number): string => `n${first + place}`;
  return parts.map(({ body, links, caught }, index) => ({
    id: idAt(index),
    type: body.type,
    config: withScopes(body, ids),
    maxVisits: 3,
    ...(body.type === 'end'
      ? {}
      : Object.fromEntries(Object.entries(links).map(([name, place]) => [name, idAt(place)]))),
    ...(body.type !== 'action' || caught === undefined
      ? {}
      : { catch: [{ errors: ['BUSY'], nextNodeId: idAt(caught) }] }),
  })) as unknown as Node[];
}

/**
 * Branches and items begin apart, by odd milliseconds: which of two things at the very same moment comes first is nobody's
 * promise, and a fresh history may settle it another way.
 */
function apart(nodes: readonly Node[], ids: { next: number }, ofItems: boolean): Node[] {
  const id = `n${ids.next++}`;
  const own = 2 * ids.next + 1;
  const delayMs = ofItems ? `\${${own} + ${101 + 2 * ids.next} * index}` : own;
  return [{ id, type: 'delay', config: { delayMs }, nextNodeId: nodes[0]?.id } as Node, ...nodes];
}

function withScopes({ type, config, scopes = [] }: Body, ids: { next: number }): object {
  if (scopes.length === 0) return config;
  const bare = scopes.map((parts) => nodesOf(parts, ids));
  const inner = type === 'scope' ? bare : bare.map((nodes) => apart(nodes, ids, type === 'forEach'));
  if (type !== 'parallel') return { ...config, nodes: inner[0] };
  return { ...config, branches: inner.map((nodes, index) => ({ id: `b${index}`, nodes })) };
}

/** Any graph of nodes in any nest of scopes: jumps forwards and backwards, errors caught or not. */
export const anyDefinition: fc.Arbitrary<Definition> = fc
  .record({
    parts: scopeOf(0),
    // Half seconds: at no moment at which anything else is due.
    timeout: fc.option(
      short.map((seconds) => `${seconds}500ms`),
      { nil: undefined },
    ),
  })
  .map(({ parts, timeout }) => ({
    id: 'any',
    vars: { n: 0 },
    ...(timeout === undefined ? {} : { timeout }),
    nodes: nodesOf(parts, { next: 0 }),
  }));
