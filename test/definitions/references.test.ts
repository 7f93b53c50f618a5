import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';
import type { HandlerCatalog } from '../../definitions/handler-catalog.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';

const action = (id: string, payload: Json, rest: JsonObject = {}): JsonObject => ({
  id,
  type: 'action',
  config: { command: 'work', payload },
  ...rest,
});
const assign = (id: string, vars: JsonObject, rest: JsonObject = {}): JsonObject => ({
  id,
  type: 'assign',
  config: { vars },
  ...rest,
});

const issuesOf = (value: JsonObject, handlers?: HandlerCatalog): string[] =>
  checkDefinition(value, handlers === undefined ? {} : { handlers }).issues.map(
    ({ severity, code, path }) => `${severity} ${code.replace('definition.', '')} ${path}`,
  );
const document = (nodes: JsonObject[], rest: JsonObject = {}): JsonObject => ({ id: 'test', nodes, ...rest });

describe('what an expression of a node may read', () => {
  /** Reads `text` in node `b`, which follows `a` and precedes `c`. */
  const read = (text: string, rest: JsonObject = {}): string[] =>
    issuesOf(
      document(
        [action('a', 1, { nextNodeId: 'b' }), action('b', { x: text }, { nextNodeId: 'c' }), action('c', 1)],
        rest,
      ),
    ).map((issue) => issue.replace(' /nodes/1/config/payload/x', ''));

  test.each([
    '${event.data.anything.at.all}',
    '${event.id} ${event.type} ${event.source} ${event.subject} ${event.time}',
    '${input}',
    '${vars}',
    '${run.initiator.id} ${run.entity}',
    '${now + duration("1h")}',
    '${nodes.a.output.x} ${nodes.a.outcome} ${has(nodes.a.error)}',
    '${nodes}',
    '$${not.an.expression}',
    '${[1, 2].map(i, i + 1)}',
    '${has(nodes.c.output) ? 1 : 2}',
    '${has(error.type) ? error.type : ""}',
    '${get(vars, "perhaps.there", 1)}',
  ])('%s is fine', (text) => {
    expect(read(text)).toEqual([]);
  });

  test.each([
    ['${evnt.data}', 'error unknown_name'],
    ['${event.dta.x}', 'error unknown_name'],
    ['${run.startTime}', 'error unknown_name'],
    ['${nodes.a.result}', 'error unknown_name'],
    ['${item}', 'error unknown_name'],
    ['${error.message}', 'error unknown_name'],
    ['${vars.total}', 'error unknown_variable'],
    ['${nodes.z.output}', 'error unknown_node_reference'],
    ['${has(nodes.z.output)}', 'error unknown_node_reference'],
    ['${nodes.c.output}', 'error node_not_run_before'],
    ['${nodes.b.output}', 'error node_not_run_before'],
    ['${1 +}', 'error expression_invalid'],
    ['${nobody(1)}', 'error expression_invalid'],
    ['${event.id', 'error expression_invalid'],
  ])('%s is not', (text, issue) => {
    expect(read(text)).toEqual([issue]);
  });

  test('a variable of the document, or one that a node before can have set', () => {
    expect(read('${vars.total}', { vars: { total: 0 } })).toEqual([]);
    const before = [assign('s', { total: 1 }, { nextNodeId: 'b' }), action('b', '${vars.total}')];
    expect(issuesOf(document(before))).toEqual([]);
    const behind = [action('b', '${vars.total}', { nextNodeId: 's' }), assign('s', { total: 1 })];
    expect(issuesOf(document(behind))).toEqual(['error unknown_variable /nodes/0/config/payload']);
  });

  test('the output of its own earlier visit, in a cycle', () => {
    const loop = [
      action('a', { x: '${has(nodes.a.output) ? nodes.a.output : 0}' }, { nextNodeId: 'w' }),
      { id: 'w', type: 'delay', config: { delayMs: 1 }, nextNodeId: 'a' },
    ];
    expect(issuesOf(document(loop))).toEqual([]);
  });

  test('its own output only in the payload of its undo', () => {
    const undo = { command: 'work', undo: { command: 'back', payload: '${nodes.a.output}' } };
    expect(issuesOf(document([{ id: 'a', type: 'action', config: undo }]))).toEqual([]);
    expect(issuesOf(document([action('a', '${nodes.a.output}')]))).toEqual([
      'error node_not_run_before /nodes/0/config/payload',
    ]);
  });

  test('the error, where a path came through catch or a fallback, and not behind a false condition', () => {
    const caught = (rest: JsonObject, type: JsonObject): JsonObject =>
      document([
        { id: 'a', ...type, ...rest },
        action('h', '${error.type}', { nextNodeId: 'i' }),
        action('i', '${error.message}'),
      ]);
    const work = { type: 'action', config: { command: 'work' } };
    expect(issuesOf(caught({ fallbackNodeId: 'h' }, work))).toEqual([]);
    expect(issuesOf(caught({ catch: [{ errors: ['*'], nextNodeId: 'h' }] }, work))).toEqual([]);
    const ask = { type: 'condition', config: { expression: 'true' } };
    expect(issuesOf(caught({ fallbackNodeId: 'h' }, ask))).toHaveLength(2);
  });
});

describe('scopes', () => {
  const inBranch = (text: string, kind: 'parallel' | 'scope' | 'forEach' = 'parallel'): string[] => {
    const nodes = [action('in1', 1, { nextNodeId: 'in2' }), action('in2', text)];
    const config: JsonObject =
      kind === 'parallel'
        ? {
            branches: [
              { id: 'x', nodes, output: '${nodes.in2.output}' },
              { id: 'y', nodes: [action('other', 1)] },
            ],
          }
        : { nodes, output: '${nodes.in2.output}', ...(kind === 'forEach' ? { items: '[1]' } : {}) };
    return issuesOf(
      document([
        action('out1', 1, { nextNodeId: 'f' }),
        { id: 'f', type: kind, config, nextNodeId: 'out2' },
        action('out2', 1),
      ]),
    );
  };

  test('a branch sees its own nodes and those before it outside, not other branches nor what comes later', () => {
    expect(inBranch('${nodes.in1.output} ${nodes.out1.output}')).toEqual([]);
    expect(inBranch('${nodes.other.output}')[0]).toContain('unknown_node_reference');
    expect(inBranch('${nodes.out2.output}')[0]).toContain('node_not_run_before');
    expect(inBranch('${nodes.f.output}')[0]).toContain('node_not_run_before');
  });

  test('the item and its index are there inside the loop only, under the name given', () => {
    expect(inBranch('${item.x} ${index}', 'forEach')).toEqual([]);
    expect(inBranch('${item.x}', 'scope')).toEqual(['error unknown_name /nodes/1/config/nodes/1/config/payload']);
    const named = (text: string): JsonObject => ({
      id: 'f',
      type: 'forEach',
      config: { items: '[1]', as: 'lead', nodes: [action('in', text)] },
    });
    expect(issuesOf(document([named('${lead.id}')]))).toEqual([]);
    expect(issuesOf(document([named('${item.id}')]))).toHaveLength(1);
    expect(issuesOf(document([named('1'), action('x', '${lead}')])).join()).toContain('unknown_name');
  });

  test('what is inside a branch is not visible outside; a variable set in a scope node is', () => {
    const holder = (type: string, config: JsonObject, text: string): JsonObject =>
      document([{ id: 'h', type, config, nextNodeId: 'out' }, action('out', text)]);
    const inner = [assign('inside', { total: 1 })];
    expect(issuesOf(holder('scope', { nodes: inner }, '${vars.total}'))).toEqual([]);
    expect(issuesOf(holder('scope', { nodes: inner }, '${nodes.inside.outcome}'))[0]).toContain(
      'unknown_node_reference',
    );
    expect(issuesOf(holder('parallel', { branches: [{ id: 'x', nodes: inner }] }, '${vars.total}'))[0]).toContain(
      'unknown_variable',
    );
  });

  test('the result of the document may read every node of the top', () => {
    expect(
      issuesOf(document([action('a', 1)], { output: { x: '${nodes.a.output}', y: '${vars.v}' }, vars: { v: 1 } })),
    ).toEqual([]);
    expect(issuesOf(document([action('a', 1)], { output: '${nodes.b.output}' }))).toHaveLength(1);
  });
});

describe('places outside of a walk', () => {
  test.each([
    ['the filter of a trigger', { trigger: { event: 'e', filter: 'event.data.x > vars.y' } }, '/trigger/filter'],
    ['the input of a trigger', { trigger: [{ event: 'e', input: { x: '${input.y}' } }] }, '/trigger/0/input/x'],
    ['an initial variable', { vars: { a: 1, b: '${vars.a}' } }, '/vars/b'],
    ['the entity', { entity: { type: 'x', id: '${nodes.a.output}' } }, '/entity/id'],
    ['the key', { key: { value: '${vars.a}', onConflict: 'join' } }, '/key/value'],
  ])('%s sees no run', (_, rest, path) => {
    expect(issuesOf(document([action('a', 1)], rest))).toEqual([`error unknown_name ${path}`]);
  });

  test('what they do see', () => {
    const rest = {
      trigger: { event: 'e', filter: 'event.data.x > 3', input: '${event.data}' },
      vars: { a: '${event.data.x}', b: '${input.y}', c: '${now}' },
      entity: { type: 'lead', id: '${event.data.id}' },
    };
    expect(issuesOf(document([action('a', 1)], rest))).toEqual([]);
  });
});

describe('against schemas', () => {
  const handlers: HandlerCatalog = {
    work: {
      '1': { hasRollback: false },
      '2': {
        hasRollback: true,
        inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
        outputSchema: {
          type: 'object',
          properties: { ownerId: { type: 'string' }, list: { type: 'array', items: { $ref: '#/$defs/item' } } },
          additionalProperties: false,
          $defs: { item: { type: 'object', properties: { n: {} } } },
        },
      },
    },
  };
  const withOutput = (path: string): string[] =>
    issuesOf(
      document([action('a', { to: 'x' }, { nextNodeId: 'b' }), action('b', { to: `\${nodes.a.output.${path}}` })]),
      handlers,
    );

  test("a field that the handler's output does not have is an error, or a warning where it may have more", () => {
    expect(withOutput('ownerId')).toEqual([]);
    expect(withOutput('list[0].n')).toEqual([]);
    expect(withOutput('ownerID')).toEqual(['error unknown_output_field /nodes/1/config/payload/to']);
    expect(withOutput('list[0].m')).toEqual(['warning unknown_output_field /nodes/1/config/payload/to']);
    expect(withOutput('ownerId.what')).toEqual([]);
  });

  test("a field that the input's schema does not have", () => {
    const input = { type: 'object', properties: { amount: { type: 'number' } }, additionalProperties: false };
    expect(issuesOf(document([action('a', '${input.amount}')], { input }))).toEqual([]);
    expect(issuesOf(document([action('a', '${input.amuont}')], { input }))).toEqual([
      'error unknown_output_field /nodes/0/config/payload',
    ]);
  });

  test('a constant payload is checked against the input of the handler', () => {
    expect(issuesOf(document([action('a', { to: 5 })]), handlers)).toEqual([
      'error payload_invalid /nodes/0/config/payload/to',
    ]);
    expect(issuesOf(document([action('a', {})]), handlers)).toEqual(['error payload_invalid /nodes/0/config/payload']);
    expect(issuesOf(document([action('a', { to: { $secret: 'x' } })]), handlers)).toEqual([]);
    expect(issuesOf(document([action('a', { to: '${1}' })]), handlers)).toEqual([]);
  });

  test('undo by the handler needs a rollback; a version that nobody has is told', () => {
    const config = (rest: JsonObject): JsonObject =>
      document([{ id: 'a', type: 'action', config: { command: 'work', payload: { to: 'x' }, ...rest } }]);
    expect(issuesOf(config({ undo: true }), handlers)).toEqual([]);
    expect(issuesOf(config({ version: 1, undo: true }), handlers)).toEqual(['error no_rollback /nodes/0/config/undo']);
    expect(issuesOf(config({ version: 3 }), handlers)).toEqual(['warning unknown_command /nodes/0/config/command']);
    expect(issuesOf(config({ undo: { command: 'gone' } }), handlers)).toEqual([
      'warning unknown_command /nodes/0/config/undo/command',
    ]);
  });
});
