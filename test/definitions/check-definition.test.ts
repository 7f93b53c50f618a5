import { describe, expect, test } from 'vitest';
import { checkDefinition, MAX_NODES } from '../../definitions/check-definition.ts';
import { ISSUE_CODES } from '../../definitions/issue-codes.ts';
import { parseDefinition } from '../../definitions/parse-definition.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';
import { MAX_ISSUES } from '../../definitions/validation/finish.ts';
import { ARTICLE, chain, EVERYTHING } from './documents.ts';

const action = (id: string, rest: JsonObject = {}): JsonObject => ({
  id,
  type: 'action',
  config: { command: 'work' },
  ...rest,
});
const delay = (id: string, config: JsonObject, rest: JsonObject = {}): JsonObject => ({
  id,
  type: 'delay',
  config,
  ...rest,
});
const document = (...nodes: JsonObject[]): JsonObject => ({ id: 'test', nodes });
const fork = (
  id: string,
  branches: readonly JsonObject[][],
  config: JsonObject = {},
  rest: JsonObject = {},
): JsonObject => ({
  id,
  type: 'parallel',
  config: { branches: branches.map((nodes, index) => ({ id: `b${index}`, nodes })), ...config },
  ...rest,
});
const approval = (config: JsonObject, rest: JsonObject = {}): JsonObject =>
  document({ id: 'ask', type: 'approval', config: { assignees: { roles: ['boss'] }, ...config }, ...rest });

/** `severity code path node` of each issue. */
const found = (value: unknown): string[] =>
  checkDefinition(value).issues.map(({ severity, code, path, nodeId }) => {
    return `${severity} ${code.replace('definition.', '')} ${path} ${nodeId ?? '-'}`;
  });

test("the article's example, and a document with every field of the language, have no issues", () => {
  expect(checkDefinition(ARTICLE)).toEqual({ definition: ARTICLE, issues: [] });
  expect(found(EVERYTHING)).toEqual([]);
});

/** Case H13, in its order; 14 cannot be written in the language. */
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
    '6 a cycle without a wait, but bounded',
    document(action('a', { nextNodeId: 'b' }), action('b', { nextNodeId: 'a', maxVisits: 5 })),
    ['warning cycle_without_wait /nodes/0 a'],
  ],
  ['7 an unreachable node', document(action('a'), action('b')), ['warning unreachable_node /nodes/1 b']],
  [
    '8 a condition without else is fine',
    document({ id: 'a', type: 'condition', config: { expression: 'true' }, nextNodeId: 'b' }, action('b')),
    [],
  ],
  ['9 an unknown node type', document({ ...action('a'), type: 'actoin' }), ['error unknown_node_type /nodes/0/type a']],
  [
    '11 an expression that does not parse',
    document({ id: 'a', type: 'condition', config: { expression: 'event.data.size >=' } }),
    ['error expression_invalid /nodes/0/config/expression a'],
  ],
  ['12 no nodes', { id: 'test', nodes: [] }, ['error no_nodes /nodes -']],
  [
    '13 a jump from one branch into another',
    document(fork('f', [[action('x', { nextNodeId: 'y' })], [action('y')]])),
    ['error jump_out_of_scope /nodes/0/config/branches/0/nodes/0/nextNodeId x'],
  ],
  ['15 a delay of -1', document(delay('a', { delayMs: -1 })), ['error invalid_value /nodes/0/config/delayMs a']],
  [
    '15 retry attempts 0',
    document(action('a', { config: { command: 'work', retry: { maxAttempts: 0 } } })),
    ['error invalid_value /nodes/0/config/retry/maxAttempts a'],
  ],
  [
    '16 two undo commands on one node',
    document(action('a', { config: { command: 'work', undo: [{ command: 'x' }, { command: 'y' }] } })),
    ['error invalid_type /nodes/0/config/undo a'],
  ],
  [
    '17 a sub-workflow that calls itself without end',
    document({ id: 'again', type: 'workflow', config: { definitionId: 'test' } }),
    ['error self_call /nodes/0/config/definitionId again'],
  ],
];

describe('case H13: broken definitions', () => {
  test.each(BROKEN)('%s', (_, value, issues) => {
    expect(found(value)).toEqual(issues);
  });

  test('10 a command without a known handler is a warning at publish, an error where the handlers are all known', () => {
    const handlers = { work: { '1': { hasRollback: false } } };
    const value = document(action('a', { config: { command: 'wrok' } }));
    const check = (handlersComplete: boolean) => checkDefinition(value, { handlers, handlersComplete }).issues;
    expect(check(false)).toMatchObject([
      { code: 'definition.unknown_command', severity: 'warning', path: '/nodes/0/config/command', nodeId: 'a' },
    ]);
    expect(check(false)[0]?.message).toContain('did you mean "work"?');
    expect(check(true)).toMatchObject([{ code: 'definition.unknown_command', severity: 'error' }]);
  });

  test('18 a dangling link at the end of 5,000 nodes is found in under 2 s of CPU', () => {
    const nodes = Array.from({ length: 5000 }, (_, index) =>
      action(`n${index}`, {
        nextNodeId: index < 4999 ? `n${index + 1}` : 'nowhere',
        config: {
          command: 'work',
          payload: { last: index === 0 ? 1 : `\${nodes.n${index - 1}.output.x}`, to: `Hi \${event.data.n${index}}` },
        },
      }),
    );
    const text = JSON.stringify(document(...nodes));
    const start = process.cpuUsage();
    const { definition, issues } = parseDefinition(text);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(definition).toBeNull();
    expect(issues).toMatchObject([
      { code: 'definition.unknown_node', path: '/nodes/4999/nextNodeId', nodeId: 'n4999' },
    ]);
  });

  test('five faults of form and meaning are reported in one go', () => {
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
});

/** Faults of the rest of the language. */
const MORE: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['a missing id', { nodes: [action('a')] }, ['error missing_field /id -']],
  [
    'a missing command',
    document({ id: 'a', type: 'action', config: {} }),
    ['error missing_field /nodes/0/config/command a'],
  ],
  ['a missing config', document({ id: 'a', type: 'action' }), ['error missing_field /nodes/0/config a']],
  ['a missing type', document({ id: 'a' }), ['error missing_field /nodes/0/type a']],
  [
    'an expression that is a boolean',
    document({ id: 'a', type: 'condition', config: { expression: true } }),
    ['error invalid_type /nodes/0/config/expression a'],
  ],
  ['a start that is nowhere', chain({ start: 'z' }), ['error unknown_node /start -']],
  [
    'a start inside a branch',
    { ...document(fork('f', [[action('x')]])), start: 'x' },
    ['error jump_out_of_scope /start -'],
  ],
  [
    'an unknown field of a trigger',
    chain({ trigger: { event: 'e', filtres: {} } }),
    ['error unknown_field /trigger/filtres -'],
  ],
  [
    'an unknown field of the second trigger',
    chain({ trigger: [{ event: 'e' }, { schedule: { cron: '* * * * *', zone: 'x' } }] }),
    ['error unknown_field /trigger/1/schedule/zone -'],
  ],
  [
    'an unknown operator',
    chain({ trigger: { event: 'e', filters: { a: { gte: 1, le: 2 } } } }),
    ['error unknown_field /trigger/filters/a/le -'],
  ],
  [
    'an operator with the wrong kind',
    chain({ trigger: { event: 'e', filters: { a: { exists: 'yes' } } } }),
    ['error invalid_type /trigger/filters/a/exists -'],
  ],
  [
    'a filter without operators',
    chain({ trigger: { event: 'e', filters: { a: {}, b: [] } } }),
    ['error invalid_value /trigger/filters/a -', 'error invalid_value /trigger/filters/b -'],
  ],
  [
    'a filter whose key is no path',
    chain({ trigger: { event: 'e', filters: { 'a[b': 1 } } }),
    ['error invalid_value /trigger/filters/a[b -'],
  ],
  [
    'a schedule with two rhythms',
    chain({ trigger: { schedule: { cron: '* * * * *', every: '1h' } } }),
    ['error exclusive_fields /trigger/schedule -'],
  ],
  [
    'a schedule without rhythm',
    chain({ trigger: { schedule: { catchUp: 'soon' } } }),
    ['error exclusive_fields /trigger/schedule -', 'error invalid_value /trigger/schedule/catchUp -'],
  ],
  ['a trigger that is none', chain({ trigger: 5 }), ['error invalid_type /trigger -']],
  ['a timeout that is no duration', chain({ timeout: '5 minutes' }), ['error invalid_value /timeout -']],
  ['a timeout of zero', chain({ timeout: '0s' }), ['error invalid_value /timeout -']],
  ['a timeout in months', chain({ timeout: 'P1M' }), ['error invalid_value /timeout -']],
  [
    'a path to redact that is none',
    chain({ redact: ['event.data.email', 'a..b'] }),
    ['error invalid_value /redact/1 -'],
  ],
  ['a delay without its moment', document(delay('a', {})), ['error exclusive_fields /nodes/0/config a']],
  [
    'a delay with two moments',
    document(delay('a', { delayMs: 1, duration: '1s' })),
    ['error exclusive_fields /nodes/0/config a'],
  ],
  ['a delay until null', document(delay('a', { until: null })), ['error invalid_type /nodes/0/config/until a']],
  [
    'a delay until next tuesday',
    document(delay('a', { until: 'next tuesday' })),
    ['error invalid_value /nodes/0/config/until a'],
  ],
  [
    'a delay until a day that is none',
    document(delay('a', { until: '2027-02-29T12:00:00Z' })),
    ['error invalid_value /nodes/0/config/until a'],
  ],
  [
    'a delay of a duration that is none',
    document(delay('a', { duration: '1h2h' })),
    ['error invalid_value /nodes/0/config/duration a'],
  ],
  [
    'a delay of half a millisecond',
    document(delay('a', { delayMs: 0.5 })),
    ['error invalid_value /nodes/0/config/delayMs a'],
  ],
  [
    'a longest interval below the first',
    chain({ defaults: { retry: { initialInterval: '5m', maxInterval: '1m' } } }),
    ['error invalid_value /defaults/retry/maxInterval -'],
  ],
  [
    'a jitter over 1',
    chain({ defaults: { retry: { jitter: 1.5 } } }),
    ['error invalid_value /defaults/retry/jitter -'],
  ],
  [
    'a variable that reaches a prototype',
    JSON.parse('{"id":"test","vars":{"__proto__":1},"nodes":[{"id":"constructor","type":"end"}]}') as JsonObject,
    ['error reserved_name /vars/__proto__ -', 'error reserved_name /nodes/0/id constructor'],
  ],
  [
    'a branch id twice',
    document({
      id: 'f',
      type: 'parallel',
      config: {
        branches: [
          { id: 'x', nodes: [action('a')] },
          { id: 'x', nodes: [action('b')] },
        ],
      },
    }),
    ['error duplicate_branch_id /nodes/0/config/branches/1/id f'],
  ],
  [
    'a loop name that is taken',
    document({ id: 'e', type: 'forEach', config: { items: '[1]', as: 'event', nodes: [action('a')] } }),
    ['error reserved_name /nodes/0/config/as e'],
  ],
  [
    'a loop variable with a name that CEL keeps for itself',
    document({ id: 'e', type: 'forEach', config: { items: '[1]', as: 'while', nodes: [action('a')] } }),
    ['error reserved_name /nodes/0/config/as e'],
  ],
  [
    'a link behind the end',
    document({ id: 'a', type: 'end', nextNodeId: 'b' }, action('b')),
    ['warning no_effect /nodes/0/nextNodeId a'],
  ],
  [
    'a transition of an outcome that is none',
    approval({}, { transitions: { aproved: 'ask' } }),
    ['error unknown_outcome /nodes/0/transitions/aproved ask'],
  ],
  [
    'a quorum above the people named',
    approval({ assignees: { users: ['a', 'b', 'a'] }, quorum: 3 }),
    ['error quorum_impossible /nodes/0/config/quorum ask'],
  ],
  [
    'everybody excluded',
    approval({ assignees: { users: ['a'] }, exclude: 'a' }),
    ['error quorum_impossible /nodes/0/config/assignees ask'],
  ],
  ['a quorum of nobody', approval({ quorum: 0 }), ['error invalid_value /nodes/0/config/quorum ask']],
  [
    'a count above the branches',
    document(fork('f', [[action('a')], [action('b')], [action('c')]], { join: { count: 4 } })),
    ['error quorum_impossible /nodes/0/config/join/count f'],
  ],
  ['an approval for anyone', approval({ assignees: {} }), ['warning anyone_may_decide /nodes/0/config ask']],
  [
    'an outcome twice, and a reserved one',
    approval({ outcomes: ['yes', 'yes', 'timeout'] }),
    ['error invalid_value /nodes/0/config/outcomes/1 ask', 'error reserved_name /nodes/0/config/outcomes/2 ask'],
  ],
  [
    'a workflow without its definition',
    document({ id: 'w', type: 'workflow', config: {} }),
    ['error exclusive_fields /nodes/0/config w'],
  ],
  [
    'an input schema with a remote reference',
    chain({ input: { $ref: 'https://example.com/a' } }),
    ['error invalid_schema /input/$ref -'],
  ],
  [
    'a form whose pattern needs back-tracking',
    approval({ form: { properties: { a: { pattern: '(?=a)' } } } }),
    ['error invalid_schema /nodes/0/config/form/properties/a/pattern ask'],
  ],
  [
    'a password in clear',
    document(
      action('a', {
        config: { command: 'work', payload: { dbPassword: 'pw-EXAMPLE-1', note: 'AKIAABCDEFGHIJKLMNOP' } },
      }),
    ),
    [
      'warning secret_in_clear /nodes/0/config/payload/dbPassword a',
      'warning secret_in_clear /nodes/0/config/payload/note a',
    ],
  ],
  [
    'a secret outside of a payload',
    document({ id: 'a', type: 'assign', config: { vars: { k: { $secret: 'crm/key' } } } }),
    ['error secret_outside_payload /nodes/0/config/vars/k a'],
  ],
  [
    'an outer variable written in a branch',
    {
      ...document(fork('f', [[{ id: 'set', type: 'assign', config: { vars: { total: 1, own: 2 } } }]])),
      vars: { total: 0 },
    },
    ['error undeclared_shared /nodes/0/config/branches/0/nodes/0/config/vars/total set'],
  ],
];

describe('further faults', () => {
  test.each(MORE)('%s', (_, value, issues) => {
    expect(found(value)).toEqual(issues);
  });

  test('a value that is no JSON is refused with its path', () => {
    expect(found({ id: 'a', nodes: [{ id: 'x', type: 'end', at: new Date(0) }] })).toEqual([
      'error syntax /nodes/0/at -',
    ]);
    expect(found({ id: 'a', nodes: [() => 1] })).toEqual(['error syntax /nodes/0 -']);
    for (const value of [null, 5, 'text', [], undefined]) expect(checkDefinition(value).definition).toBeNull();
  });

  test('fields that are undefined count as absent', () => {
    expect(checkDefinition({ ...ARTICLE, description: undefined }).issues).toEqual([]);
  });

  test('fields that begin with x- are ignored on every object of the language, and are data inside payloads', () => {
    const value = {
      ...chain({ 'x-team': 'a', $schema: 'https://example.com' }),
      nodes: [
        {
          ...action('a', { 'x-ui': { left: 5 } }),
          config: { command: 'work', 'x-note': 1, retry: { 'x-why': 'b' }, payload: { 'x-header': 1 } },
          catch: [{ errors: ['*'], nextNodeId: 'b', 'x-c': 1 }],
        },
        action('b'),
      ],
      trigger: { event: 'e', 'x-t': 1, filters: { a: { gte: 1, 'x-f': 1 } } },
    };
    expect(checkDefinition(value).issues).toEqual([]);
  });

  test('a cycle may go round where a node in it waits, deep inside too', () => {
    const pause = delay('wait', { delayMs: 1000 }, { nextNodeId: 'a' });
    expect(found(document(action('a', { nextNodeId: 'wait' }), pause))).toEqual([]);
    const box = { id: 'box', type: 'scope', config: { nodes: [delay('in', { delayMs: 1 })] }, nextNodeId: 'a' };
    expect(found(document(action('a', { nextNodeId: 'box' }), box))).toEqual([]);
  });

  test('a definition may call itself where a path ends without it', () => {
    const ask = { id: 'ask', type: 'condition', config: { expression: 'input.n > 0' }, nextNodeId: 'again' };
    expect(found(document(ask, { id: 'again', type: 'workflow', config: { definitionId: 'test' } }))).toEqual([]);
  });

  test('a document with endless faults ends with the most severe of them', () => {
    const nodes = Array.from({ length: MAX_ISSUES + 500 }, (_, index) => action(`n${index}`));
    const { issues } = checkDefinition({ id: 'a', nodes: [...nodes, action('z', { nextNodeId: 'q' })] });
    expect(issues).toHaveLength(MAX_ISSUES);
    expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'definition.unknown_node' }]);
  });

  test('more nodes than a definition may have are refused', () => {
    const nodes = Array.from({ length: MAX_NODES + 1 }, (_, index) => ({ id: `n${index}`, type: 'end' }));
    expect(found({ id: 'a', nodes })).toEqual(['error too_large /nodes -']);
  });

  test('names that objects inherit are no types, and no names with fields', () => {
    for (const type of ['__proto__', 'constructor', 'toString']) {
      const value = JSON.parse(`{"id":"a","nodes":[{"id":"x","type":"${type}","config":{}}]}`) as JsonObject;
      expect(found(value)).toEqual(['error unknown_node_type /nodes/0/type x']);
    }
    const inside = [action('a', { config: { command: 'work', payload: '${toString.x}' } })];
    expect(
      found(document({ id: 'e', type: 'forEach', config: { items: '[1]', as: 'toString', nodes: inside } })),
    ).toEqual([]);
  });

  test('a key named __proto__ is unknown where the language names its fields, and judged where keys are data', () => {
    const parsed = (text: string): string[] => found(JSON.parse(text));
    const nodes = '"nodes":[{"id":"x","type":"end","__proto__":{"type":"action"}}]';
    expect(parsed(`{"id":"a","__proto__":{},${nodes}}`)).toEqual([
      'error unknown_field /nodes/0/__proto__ x',
      'error unknown_field /__proto__ -',
    ]);
    const filters = (test: string): string =>
      `{"id":"a","trigger":{"event":"e","filters":{"__proto__":${test}}},"nodes":[{"id":"x","type":"end"}]}`;
    expect(parsed(filters('"admin"'))).toEqual([]);
    expect(parsed(filters('{"equals":1}'))).toEqual(['error unknown_field /trigger/filters/__proto__/equals -']);
    const payload =
      '{"id":"a","nodes":[{"id":"x","type":"action","config":{"command":"c","payload":{"__proto__":1}}}]}';
    expect(parsed(payload)).toEqual([]);
  });

  test('messages show no secret', () => {
    const payload: Json = { password: 'pw-EXAMPLE-1' };
    const { issues } = checkDefinition(document(action('a', { config: { command: 'work', payload } })));
    expect(JSON.stringify(issues)).not.toContain('EXAMPLE');
  });
});

test('the tables name every code that a check can give', () => {
  const covered = new Set(
    [...BROKEN, ...MORE].flatMap(([, , issues]) => issues.map((issue) => `definition.${issue.split(' ')[1]}`)),
  );
  const elsewhere = [
    'unsupported',
    'unknown_command',
    'no_rollback',
    'payload_invalid',
    'syntax',
    'too_large',
    'unknown_name',
  ];
  const references = ['unknown_variable', 'unknown_node_reference', 'node_not_run_before', 'unknown_output_field'];
  for (const code of [...elsewhere, ...references]) covered.add(`definition.${code}`);
  expect([...covered].sort()).toEqual(Object.keys(ISSUE_CODES).sort());
});
