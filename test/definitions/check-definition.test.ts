import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDefinition, MAX_NODES } from '../../definitions/check-definition.ts';
import { ISSUE_CODES } from '../../definitions/issue-codes.ts';
import type { Json, JsonObject } from '../../definitions/types.ts';
import { MAX_ISSUES } from '../../definitions/validation/finish.ts';
import { action, approval, delay, document, each, fork, found, node, sends } from './builders.ts';
import { ARTICLE, chain, EVERYTHING } from './documents.ts';

test("the article's example, and a document with every field of the language, have no issues", () => {
  expect(checkDefinition(ARTICLE)).toEqual({ definition: ARTICLE, issues: [] });
  expect(found(EVERYTHING)).toEqual([]);
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
    'a timeout transition where nothing times out',
    approval({}, { transitions: { timeout: 'ask' } }),
    ['error unknown_outcome /nodes/0/transitions/timeout ask'],
  ],
  [
    'a type of event that is not waited for',
    document(
      node('event', 'e', { event: ['paid', 'refused'] }, { transitions: { payed: 'x', paid: 'x' } }),
      action('x'),
    ),
    ['error unknown_outcome /nodes/0/transitions/payed e'],
  ],
  [
    'transitions of a node that has no outcomes',
    document(delay('d', { delayMs: 1 }, { transitions: { timeout: 'x' } }), action('x')),
    ['warning no_effect /nodes/0/transitions d'],
  ],
  [
    'a quorum of two people and an escalation to a third is reachable',
    approval({ assignees: { users: ['a', 'b'] }, escalate: [{ after: '1d', assignees: { users: ['c'] } }], quorum: 3 }),
    [],
  ],
  [
    'reminders out of order',
    approval({ reminders: ['1d', '4h', 'soon'], escalate: [{ after: '2d' }, { after: '2d' }] }),
    [
      'error invalid_value /nodes/0/config/reminders/2 ask',
      'error invalid_value /nodes/0/config/reminders/1 ask',
      'error invalid_value /nodes/0/config/escalate/1/after ask',
    ],
  ],
  [
    'reminders and escalations behind the deadline',
    approval({ dueIn: '3d', reminders: ['1h', '2d'], escalate: [{ after: '5d' }], timeout: '2d' }),
    [
      'warning never_happens /nodes/0/config/dueIn ask',
      'warning never_happens /nodes/0/config/reminders/1 ask',
      'warning never_happens /nodes/0/config/escalate/0/after ask',
    ],
  ],
  [
    'a form that is no schema',
    approval({ form: { type: 'objekt', required: 'a' } }),
    ['error invalid_schema /nodes/0/config/form/type ask', 'error invalid_schema /nodes/0/config/form/required ask'],
  ],
  [
    'a cron pattern and a time zone that are none',
    document(delay('a', { cron: '61 * * * *', timeZone: 'Europe/Pariss' })),
    ['error invalid_value /nodes/0/config/cron a', 'error invalid_value /nodes/0/config/timeZone a'],
  ],
  [
    'the same in a schedule',
    chain({ trigger: { schedule: { cron: 'every day', timeZone: 'Mars' } } }),
    ['error invalid_value /trigger/schedule/cron -', 'error invalid_value /trigger/schedule/timeZone -'],
  ],
  [
    'a time zone for milliseconds',
    document(delay('a', { delayMs: 5, timeZone: 'UTC' })),
    ['warning no_effect /nodes/0/config/timeZone a'],
  ],
  [
    'a concurrency of nothing',
    document(each('e', [action('a')], { concurrency: 0 })),
    ['error invalid_value /nodes/0/config/concurrency e'],
  ],
  [
    'a concurrency above 200',
    document(each('e', [action('a')], { concurrency: 201 })),
    ['error invalid_value /nodes/0/config/concurrency e'],
  ],
  ['a concurrency of 200', document(each('e', [action('a')], { concurrency: 200 })), []],
  [
    'items that are a text',
    document(each('e', [action('a')], { items: '"abc"' })),
    ['error invalid_value /nodes/0/config/items e'],
  ],
  ['items that are computed', document(each('e', [action('a')], { items: 'input.list' })), []],
  [
    'a count above the items',
    document(each('e', [action('a')], { items: '[1, 2]', join: { count: 3 } })),
    ['error quorum_impossible /nodes/0/config/join/count e'],
  ],
  [
    'a count of nothing',
    document(fork('f', [[action('a')]], { join: { count: 0 } })),
    ['error invalid_value /nodes/0/config/join/count f'],
  ],
  [
    'a shared variable that is not there',
    { ...document(fork('f', [[action('a')]], { shared: ['total', 'totl'] })), vars: { total: 0 } },
    ['error unknown_variable /nodes/0/config/shared/1 f'],
  ],
  [
    'a secret whose name is computed, or that is not alone',
    document(sends('a', { x: { $secret: '${event.data.which}' }, y: { $secret: 'k', z: 1 } })),
    ['error invalid_value /nodes/0/config/payload/x/$secret a', 'error invalid_value /nodes/0/config/payload/y a'],
  ],
  [
    'a key inside an expression, and one behind "Bearer"',
    document(
      sends(
        'a',
        { headers: { Authorization: 'Bearer abc' }, x: '${input.k == "sk_live_EXAMPLE1" ? 1 : 2}' },
        { nextNodeId: 'b' },
      ),
      node('condition', 'b', { expression: 'input.k == "AKIAABCDEFGHIJKLMNOP"' }),
    ),
    [
      'warning secret_in_clear /nodes/0/config/payload/headers/Authorization a',
      'warning secret_in_clear /nodes/0/config/payload/x a',
      'warning secret_in_clear /nodes/1/config/expression b',
    ],
  ],
  [
    'a name that stands in for the title of an approval',
    approval({}, { name: 'Order ${input.id' }),
    ['error expression_invalid /nodes/0/name ask'],
  ],
  [
    'a definition that is named by an expression',
    document(node('workflow', 'w', { definitionId: '${input.which}' })),
    ['error invalid_value /nodes/0/config/definitionId w'],
  ],
  [
    'a correlation that no event can have',
    document(node('event', 'e', { event: 'paid', correlate: { orderId: 1, 'data..x': 1, 'data.x': [1] } })),
    [
      'warning never_happens /nodes/0/config/correlate/orderId e',
      'error invalid_value /nodes/0/config/correlate/data..x e',
      'error invalid_value /nodes/0/config/correlate/data.x e',
    ],
  ],
  [
    'a wait without time',
    document(node('event', 'e', { event: 'paid', timeout: '0s' })),
    ['error invalid_value /nodes/0/config/timeout e'],
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
    for (const none of [{ delayMs: 0 }, { duration: 'PT0S' }]) {
      const loop = document(action('a', { nextNodeId: 'wait' }), delay('wait', none, { nextNodeId: 'a' }));
      expect(found(loop)).toEqual(['error cycle_without_wait /nodes/0 a']);
    }
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

test('every code that a check can give is in a test', () => {
  const folders = [import.meta.dirname, join(import.meta.dirname, '../cases')];
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const text = files.join('\n');
  const untested = Object.keys(ISSUE_CODES).filter((code) => !text.includes(code.replace('definition.', '')));
  expect(untested).toEqual([]);
});
