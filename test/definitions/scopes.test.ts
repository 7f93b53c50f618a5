/**
 * What is visible and writable across branches, items and scopes, in each other (case H22's refusals are here too).
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../definitions/types.ts';
import { action, assign, box, delay, document, each, fork, found, messages, node, row, sends } from './builders.ts';

describe('writes of an outer variable', () => {
  const write = assign('set', { total: 1 });
  const withTotal = (...nodes: JsonObject[]): JsonObject => ({ ...document(...nodes), vars: { total: 0 } });
  const codes = (value: JsonObject): string[] => found(value).map((issue) => issue.split(' ')[1] ?? '');

  test('need the name in `shared` of every holder between', () => {
    const shared = { shared: ['total'] };
    const nested = (inner: JsonObject, outer: JsonObject): JsonObject =>
      withTotal(fork('f', [[each('e', [box('s', [write])], inner)]], outer));
    expect(codes(nested(shared, shared))).toEqual([]);
    expect(codes(nested({}, shared))).toEqual(['undeclared_shared']);
    expect(codes(nested(shared, {}))).toEqual(['undeclared_shared']);
    expect(messages(nested({}, {}))).toContain('outside of "e"');
    expect(messages(nested(shared, {}))).toContain('outside of "f"');
  });

  test('are free in a scope node, which shares everything', () => {
    expect(codes(withTotal(box('s', [box('t', [write])])))).toEqual([]);
  });

  test('two branches may write one shared variable', () => {
    const both = [[assign('one', { total: 1 })], [assign('two', { total: 2 })]];
    expect(codes(withTotal(fork('f', both, { shared: ['total'] })))).toEqual([]);
  });

  test('a name that nothing outside can have set before is private, and unknown outside', () => {
    const branch = [assign('set', { t: 1 }, { nextNodeId: 'read' }), sends('read', '${vars.t}')];
    expect(codes(document(...row(fork('f', [branch]), assign('later', { t: 2 }))))).toEqual([]);
    expect(codes(document(...row(assign('before', { t: 2 }), fork('f', [branch]))))).toEqual(['undeclared_shared']);
    expect(codes(document(...row(fork('f', [branch]), sends('out', '${vars.t}'))))).toEqual(['unknown_variable']);
  });

  test('a variable set inside a scope node before counts as set around', () => {
    const inBox = box('s', [box('t', [assign('before', { t: 1 })])]);
    expect(codes(document(...row(inBox, fork('f', [[assign('set', { t: 2 })]]))))).toEqual(['undeclared_shared']);
    expect(codes(document(...row(inBox, fork('f', [[assign('set', { t: 2 })]], { shared: ['t'] }))))).toEqual([]);
  });

  test('a private name of a branch is shared with what is inside the branch', () => {
    const inner = (config: JsonObject): JsonObject[] =>
      row(assign('own', { n: 0 }), each('e', [assign('add', { n: '${vars.n + item}' })], config));
    expect(codes(document(fork('f', [inner({ shared: ['n'] })])))).toEqual([]);
    expect(codes(document(fork('f', [inner({})])))).toEqual(['undeclared_shared']);
  });

  test('`shared` names what is there before', () => {
    expect(found(document(...row(fork('f', [[action('a')]], { shared: ['t'] }), assign('later', { t: 1 }))))).toEqual([
      'error unknown_variable /nodes/0/config/shared/0 f',
    ]);
    expect(messages(withTotal(fork('f', [[action('a')]], { shared: ['totl'] })))).toContain('did you mean "total"?');
  });
});

describe('nodes', () => {
  const reads = (text: string): JsonObject => sends('reader', text);
  const deep = (text: string): JsonObject =>
    document(
      ...row(
        action('before'),
        fork('f', [row(action('own'), each('e', row(action('inner'), box('s', [reads(text)])))), [action('other')]]),
        action('after'),
      ),
    );

  test.each(['before', 'own', 'inner'])('of an enclosing scope are visible where they come before: %s', (id) => {
    expect(found(deep(`\${nodes.${id}.output}`))).toEqual([]);
  });

  test.each(['after', 'f', 'e', 's', 'reader'])('that come later, or hold the reader, are not: %s', (id) => {
    expect(found(deep(`\${nodes.${id}.output}`))).toMatchObject([expect.stringContaining('node_not_run_before')]);
  });

  test('of another branch are not visible', () => {
    expect(found(deep('${nodes.other.output}'))).toMatchObject([expect.stringContaining('unknown_node_reference')]);
  });

  test('that hold the reader are visible in a cycle: their last visit has ended', () => {
    const loop = document(
      fork('f', [[sends('reader', '${nodes.f.outcome}')]], {}, { nextNodeId: 'wait' }),
      delay('wait', { delayMs: 1 }, { nextNodeId: 'f' }),
    );
    expect(found(loop)).toEqual([]);
  });

  test('that are never reached have no value anywhere, not in the result either', () => {
    const nodes = [...row(action('a'), reads('${nodes.lost.output}')), action('lost', { nextNodeId: 'reader' })];
    const value = { ...document(...nodes), output: '${nodes.lost.output}' };
    expect(found(value)).toEqual([
      'warning unreachable_node /nodes/2 lost',
      'error node_not_run_before /output -',
      'error node_not_run_before /nodes/1/config/payload reader',
    ]);
    expect(messages(value)).toContain('"lost" is never reached');
  });

  test('and of an unreachable node nothing else is said', () => {
    const lost = sends('lost', '${nodes.a.output} ${vars.v} ${error.type}');
    expect(found(document(...row(action('a'), assign('b', { v: 1 })), lost))).toEqual([
      'warning unreachable_node /nodes/2 lost',
    ]);
  });
});

describe('items', () => {
  test('have their names in all that is inside, and in the output', () => {
    const inner = each('in', [sends('a', '${lead.id} ${index} ${item.x}')], { as: 'item', output: '${item}' });
    expect(found(document(each('out', [fork('f', [[inner]])], { as: 'lead', output: '${lead}' })))).toEqual([]);
  });

  test('have none behind the loop, in its own `items`, nor under another name', () => {
    expect(found(document(...row(each('e', [action('a')]), sends('b', '${item}'))))).toEqual([
      'error unknown_name /nodes/1/config/payload b',
    ]);
    expect(found(document(each('e', [action('a')], { items: 'item' })))).toHaveLength(1);
    expect(found(document(each('e', [sends('a', '${item}')], { as: 'lead' })))).toHaveLength(1);
  });
});

test('the error of a failed scope is there on the path that caught it, in branches too, not inside the scope itself', () => {
  const failing = (text: string): JsonObject => box('s', [sends('in', text)], {}, { fallbackNodeId: 'f' });
  const caught = (inside: string): JsonObject => document(failing(inside), fork('f', [[sends('h', '${error.type}')]]));
  expect(found(caught('x'))).toEqual([]);
  expect(found(caught('${error.type}'))).toEqual(['error unknown_name /nodes/0/config/nodes/0/config/payload in']);
});

test('an `end` is fine at any depth', () => {
  expect(found(document(fork('f', [[each('e', [node('end', 'stop', { status: 'failed' })])], [action('a')]])))).toEqual(
    [],
  );
});

describe('a fault of a link is told once', () => {
  test('with the node that was meant, and without what follows from it', () => {
    const value = document(
      action('first', { nextNodeId: 'secnd' }),
      sends('second', '${nodes.first.output}', { nextNodeId: 'third' }),
      sends('third', '${nodes.second.output}'),
    );
    expect(found(value)).toEqual(['error unknown_node /nodes/0/nextNodeId first']);
    expect(messages(value)).toContain('did you mean "second"?');
  });

  test('also where no name is near: the next of the list was meant, unless something else leads there', () => {
    const second = sends('second', '${nodes.first.output}');
    expect(found(document(action('first', { nextNodeId: 'nowhere' }), second))).toEqual([
      'error unknown_node /nodes/0/nextNodeId first',
    ]);
    expect(found(document(action('first', { nextNodeId: 'nowhere' }), action('second'), action('lost')))).toEqual([
      'error unknown_node /nodes/0/nextNodeId first',
      'warning unreachable_node /nodes/2 lost',
    ]);
  });

  test('also where the field is misspelt, which is told with the right one', () => {
    const value = document({ ...action('first'), nextNodeID: 'second' }, action('second'));
    expect(found(value)).toEqual(['error unknown_field /nodes/0/nextNodeID first']);
    expect(messages(value)).toContain('did you mean "nextNodeId"?');
  });

  test('also for `start`', () => {
    const value = { ...document(...row(action('first'), sends('second', '${nodes.first.output}'))), start: 'frist' };
    expect(found(value)).toEqual(['error unknown_node /start -']);
    expect(messages(value)).toContain('did you mean "first"?');
  });
});
