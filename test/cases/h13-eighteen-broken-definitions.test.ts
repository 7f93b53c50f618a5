/**
 * Case H13: what the checker lets through hangs in production, so all faults of a definition are found before it is stored,
 * at any depth, each once, with its code, path and node id.
 */
import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../definitions/check-definition.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import type { JsonObject } from '../../definitions/types.ts';
import { action, box, condition, delay, document, each, fork, found, node, row } from '../definitions/builders.ts';
import { chain } from '../definitions/documents.ts';

/** The eighteen, in their order; some in more than one form. */
const BROKEN: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    '1 the same id twice',
    chain({}, ['a', 'a']),
    ['error duplicate_node_id /nodes/1/id a', 'error cycle_without_wait /nodes/0 a'],
  ],
  [
    '2 the same id in two branches of a fork',
    document(fork('f', [[action('x')], [action('x')]])),
    ['error duplicate_node_id /nodes/0/config/branches/1/nodes/0/id x'],
  ],
  [
    '2 the same id in two branches of a fork that a condition leads to',
    document(...row(condition('c', 'true'), fork('f', [[action('x')], [box('s', [each('e', [action('x')])])]]))),
    ['error duplicate_node_id /nodes/1/config/branches/1/nodes/0/config/nodes/0/config/nodes/0/id x'],
  ],
  ['3 next leads nowhere', document(action('a', { nextNodeId: 'b' })), ['error unknown_node /nodes/0/nextNodeId a']],
  [
    '4 fallback leads nowhere',
    document(action('a', { fallbackNodeId: 'b' })),
    ['error unknown_node /nodes/0/fallbackNodeId a'],
  ],
  ['5 a node leads to itself', document(action('a', { nextNodeId: 'a' })), ['error cycle_without_wait /nodes/0 a']],
  [
    '6 a cycle without a wait',
    document(action('a', { nextNodeId: 'b' }), action('b', { nextNodeId: 'a' })),
    ['error cycle_without_wait /nodes/0 a'],
  ],
  [
    '6 a cycle without a wait inside an item of a branch',
    document(fork('f', [[each('e', [action('a', { nextNodeId: 'b' }), action('b', { nextNodeId: 'a' })])]])),
    ['error cycle_without_wait /nodes/0/config/branches/0/nodes/0/config/nodes/0 a'],
  ],
  [
    '6 a cycle without a wait, but counted',
    document(action('a', { nextNodeId: 'b' }), action('b', { nextNodeId: 'a', maxVisits: 5 })),
    ['warning cycle_without_wait /nodes/0 a'],
  ],
  ['7 an unreachable node', document(action('a'), action('b')), ['warning unreachable_node /nodes/1 b']],
  [
    '7 an unreachable node in a branch',
    document(fork('f', [[action('a'), action('b')]])),
    ['warning unreachable_node /nodes/0/config/branches/0/nodes/1 b'],
  ],
  ['8 a condition without else is fine', document(...row(condition('a', 'true'), action('b'))), []],
  ['9 an unknown node type', document({ ...action('a'), type: 'actoin' }), ['error unknown_node_type /nodes/0/type a']],
  [
    '11 an expression that does not parse',
    document(condition('a', 'event.data.size >=')),
    ['error expression_invalid /nodes/0/config/expression a'],
  ],
  ['12 no nodes', { id: 'test', nodes: [] }, ['error no_nodes /nodes -']],
  [
    '12 no nodes in a branch',
    document(fork('f', [[action('a')], []])),
    ['error no_nodes /nodes/0/config/branches/1/nodes f'],
  ],
  [
    '13 a jump from one branch into another',
    document(fork('f', [[action('x', { nextNodeId: 'y' })], [action('y')]])),
    ['error jump_out_of_scope /nodes/0/config/branches/0/nodes/0/nextNodeId x'],
  ],
  [
    '13 a jump out of an item, and one into it',
    document(
      each('e', [action('x', { fallbackNodeId: 'z' })], {}, { nextNodeId: 'z' }),
      action('z', { catch: [{ errors: ['*'], nextNodeId: 'x' }] }),
    ),
    [
      'error jump_out_of_scope /nodes/1/catch/0/nextNodeId z',
      'error jump_out_of_scope /nodes/0/config/nodes/0/fallbackNodeId x',
    ],
  ],
  [
    '14 a join on a branch that is not there',
    document(fork('f', [[action('a')], [action('b')]], { join: ['b0', 'b7'] })),
    ['error invalid_value /nodes/0/config/join f'],
  ],
  [
    '14 a join on more branches than there are',
    document(fork('f', [[action('a')], [action('b')]], { join: { count: 3 } })),
    ['error quorum_impossible /nodes/0/config/join/count f'],
  ],
  ['15 a delay of -1', document(delay('a', { delayMs: -1 })), ['error invalid_value /nodes/0/config/delayMs a']],
  [
    '15 retry attempts 0',
    document(node('action', 'a', { command: 'work', retry: { maxAttempts: 0 } })),
    ['error invalid_value /nodes/0/config/retry/maxAttempts a'],
  ],
  [
    '16 two undo commands on one node',
    document(node('action', 'a', { command: 'work', undo: [{ command: 'x' }, { command: 'y' }] })),
    ['error invalid_type /nodes/0/config/undo a'],
  ],
  [
    '17 a sub-workflow that calls itself without end',
    document(node('workflow', 'again', { definitionId: 'test' })),
    ['error self_call /nodes/0/config/definitionId again'],
  ],
  [
    '17 the same from a branch, behind a fork in the way',
    document(
      condition('c', 'input.n > 0', { nextNodeId: 'a', fallbackNodeId: 'f' }),
      action('a', { nextNodeId: 'f' }),
      fork('f', [[action('x')], [box('s', [node('workflow', 'again', { definitionId: 'test' })])]]),
    ),
    ['error self_call /nodes/2/config/branches/1/nodes/0/config/nodes/0/config/definitionId again'],
  ],
];

describe('each fault is found once, with code, path and node id', () => {
  test.each(BROKEN)('%s', (_, value, issues) => {
    expect(found(value)).toEqual(issues);
    const hasError = issues.some((issue) => issue.startsWith('error'));
    expect(checkDefinition(value).definition === null).toBe(hasError);
  });

  test('10 a command without a known handler is a warning at publish, an error where the handlers are all known', () => {
    const handlers = { work: { '1': { hasRollback: false } } };
    const value = document(fork('f', [[each('e', [node('action', 'a', { command: 'wrok' })])]]));
    const check = (handlersComplete: boolean) => checkDefinition(value, { handlers, handlersComplete }).issues;
    const path = '/nodes/0/config/branches/0/nodes/0/config/nodes/0/config/command';
    expect(check(false)).toMatchObject([
      { code: 'definition.unknown_command', severity: 'warning', path, nodeId: 'a' },
    ]);
    expect(check(false)[0]?.message).toContain('did you mean "work"?');
    expect(check(true)).toMatchObject([{ code: 'definition.unknown_command', severity: 'error' }]);
  });

  test('16 two undo commands under one key of the text', () => {
    const text =
      '{"id":"t","nodes":[{"id":"a","type":"action","config":{"command":"w","undo":true,"undo":{"command":"x"}}}]}';
    expect(parseDefinition(text).issues).toMatchObject([
      { code: 'definition.syntax', severity: 'error', path: '/nodes/0/config/undo', line: 1 },
    ]);
  });

  test('17 definitions that call each other without end, where the others are known', () => {
    const calls = (id: string, definitionId: string, before: JsonObject[] = []): JsonObject => ({
      id,
      nodes: row(...before, node('workflow', `call_${definitionId}`, { definitionId })),
    });
    const value = calls('a', 'b');
    const round = { b: calls('b', 'c'), c: calls('c', 'a') };
    expect(found(value)).toEqual([]);
    expect(found(value, { definitions: round })).toEqual(['error self_call /nodes/0/config/definitionId call_b']);
    expect(checkDefinition(value, { definitions: round }).issues[0]?.message).toContain('through "b" and "c"');
    const pinned = { ...round, c: { id: 'c', nodes: [node('workflow', 'back', { definitionId: 'a', version: 1 })] } };
    expect(found(value, { definitions: pinned })).toEqual([]);
    const ending = { ...round, c: calls('c', 'a', [condition('enough', 'input.n > 3')]) };
    expect(found(value, { definitions: ending })).toEqual([]);
  });

  test('18 a dangling link at the end of 5,000 nodes', () => {
    const nodes = Array.from({ length: 5000 }, (_, index) =>
      action(`n${index}`, {
        nextNodeId: index < 4999 ? `n${index + 1}` : 'nowhere',
        config: {
          command: 'work',
          payload: { last: index === 0 ? 1 : `\${nodes.n${index - 1}.output.x}`, to: `Hi \${event.data.n${index}}` },
        },
      }),
    );
    const { definition, issues } = parseDefinition(JSON.stringify(document(...nodes)));
    expect(definition).toBeNull();
    expect(issues).toMatchObject([
      { code: 'definition.unknown_node', path: '/nodes/4999/nextNodeId', nodeId: 'n4999' },
    ]);
  });
});

describe('all faults at once', () => {
  test('five of form and meaning in one file are five', () => {
    const value = {
      id: 'Test!',
      nodes: [
        action('a', { nextNodeId: 'b', conifg: {} }),
        { id: 'b', type: 'condition', config: { expression: '1 +' }, nextNodeId: 'c' },
        delay('c', { delayMs: -5 }, { nextNodeId: 'd' }),
      ],
    };
    expect(found(value)).toEqual([
      'error invalid_value /id -',
      'error unknown_field /nodes/0/conifg a',
      'error unknown_node /nodes/2/nextNodeId c',
      'error invalid_value /nodes/2/config/delayMs c',
      'error expression_invalid /nodes/1/config/expression b',
    ]);
  });

  test('five at five depths are five', () => {
    const value = document(
      ...row(
        fork('f', [
          [each('e', [box('s', [delay('d', { delayMs: -1 }, { nextNodeId: 'f' })]), action('d')])],
          [node('action', 'x', { command: 'work', payload: '${nodes.d.output}' })],
        ]),
        node('approval', 'ask', { assignees: { users: ['a'] }, quorum: 2 }),
      ),
    );
    expect(found(value).sort()).toEqual([
      'error duplicate_node_id /nodes/0/config/branches/0/nodes/0/config/nodes/0/config/nodes/0/id d',
      'error invalid_value /nodes/0/config/branches/0/nodes/0/config/nodes/0/config/nodes/0/config/delayMs d',
      'error jump_out_of_scope /nodes/0/config/branches/0/nodes/0/config/nodes/0/config/nodes/0/nextNodeId d',
      'error quorum_impossible /nodes/1/config/quorum ask',
      'error unknown_node_reference /nodes/0/config/branches/1/nodes/0/config/payload x',
      'warning unreachable_node /nodes/0/config/branches/0/nodes/0/config/nodes/1 d',
    ]);
  });
});
