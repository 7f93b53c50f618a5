/**
 * The work of a check grows with the document, not with its square: counted in reads of the document, not in time.
 */
import { expect, test } from 'vitest';
import { checkPlaced } from '../../definitions/check-definition.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';
import { assign, box, document, each, fork, node, row, sends } from './builders.ts';

/** `count` nodes in a row, each reading the one before. */
function flat(count: number): JsonObject {
  const nodes = Array.from({ length: count }, (_, at) =>
    sends(`n${at}`, { x: at === 0 ? 1 : `\${nodes.n${at - 1}.output.x}`, y: `\${event.data.f${at}}` }),
  );
  return document(...row(...nodes));
}

/** The same in scopes of every kind, `depth` deep, one in the other. */
function nested(depth: number, each_: number): JsonObject {
  const inside = (level: number): JsonObject[] => {
    const nodes = Array.from({ length: each_ }, (_, at) =>
      at % 3 === 0
        ? assign(`n${level}_${at}`, { [`own${level}`]: `\${vars.total + ${at}}` })
        : sends(`n${level}_${at}`, { x: `\${nodes.n${level}_${at - 1}.outcome}`, y: '${vars.total}' }),
    );
    return level === depth ? row(...nodes) : row(...nodes, holder(level, inside(level + 1)));
  };
  const holder = (level: number, nodes: JsonObject[]): JsonObject => {
    if (level % 3 === 0) return fork(`h${level}`, [nodes, [assign(`side${level}`, { s: 1 })]]);
    return level % 3 === 1 ? each(`h${level}`, nodes) : box(`h${level}`, nodes);
  };
  return { ...document(...inside(1)), vars: { total: 0 } };
}

/** Everything wrong everywhere: links, names, variables, calls of itself. */
function faulty(count: number): JsonObject {
  const nodes = Array.from({ length: count }, (_, at) =>
    at % 2 === 0
      ? node(
          'workflow',
          `n${at}`,
          { definitionId: 'test', input: `\${vars.v${at} + nodes.m${at}.output}` },
          { nextNodeId: `x${at}` },
        )
      : assign(`n${at}`, { same: '${vars.same}' }, { nextNodeId: `n${(at * 7) % count}` }),
  );
  return document(...nodes);
}

/** How often a check reads a field of the document. */
function readsOf(value: JsonObject): number {
  let reads = 0;
  const wrapped = new WeakMap<object, Json>();
  const watch = (part: Json): Json => {
    if (typeof part !== 'object' || part === null) return part;
    const known = wrapped.get(part);
    if (known !== undefined) return known;
    const proxy = new Proxy(part, {
      get(target, key) {
        reads++;
        return watch(Reflect.get(target, key) as Json);
      },
    });
    wrapped.set(part, proxy);
    return proxy;
  };
  checkPlaced(watch(value), {}, () => null);
  return reads;
}

test.each<[string, (size: number) => JsonObject]>([
  ['a row', (size) => flat(size)],
  ['scopes 8 deep', (size) => nested(8, size / 8)],
  ['a document full of faults', (size) => faulty(size)],
])('%s: four times the nodes are read four times as often', (_, make) => {
  expect(readsOf(make(1600)) / readsOf(make(400))).toBeLessThan(4.5);
});

test.each<[string, JsonObject]>([
  ['in a row', flat(5000)],
  ['8 deep', nested(8, 625)],
])('5,000 nodes %s are valid', (_, value) => {
  const text = JSON.stringify(value);
  expect(text.match(/"id":"n/g)?.length).toBe(5000);
  expect(parseDefinition(text).issues).toEqual([]);
});

test('forks 8 deep are not nested too deeply, in YAML neither', () => {
  let nodes = [sends('inner', { a: { b: ['${vars.x}'] } })];
  for (let level = 8; level > 0; level--) nodes = [fork(`f${level}`, [nodes])];
  const value = { ...document(...nodes), vars: { x: 1 } };
  expect(parseDefinition(JSON.stringify(value)).issues).toEqual([]);
  expect(parseDefinition(`# YAML\n${JSON.stringify(value)}`, { file: 'a.yaml' }).issues).toEqual([]);
});
