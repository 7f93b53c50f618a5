import { expect, test } from 'vitest';
import { bindingFor, handlerOf, resolveBindings, versionsOf } from '../../definitions/handler-catalog.ts';
import type { Definition, Node } from '../../definitions/types.ts';

const catalog = {
  pay: {
    '1': { hasRollback: false },
    '2': { hasRollback: true, retry: { maxAttempts: 7 }, timeout: '5s', inputSchema: true },
    '10': { hasRollback: true },
  },
  refund: { '1': { hasRollback: false, heartbeat: '3s' } },
} as const;

const definition = (...nodes: Node[]): Definition => ({ id: 'test', nodes });
const action = (id: string, config: { command: string; version?: number; undo?: { command: string } }): Node => ({
  id,
  type: 'action',
  config,
});

test('a command without a version gets the newest known, undo commands too, and nobody else', () => {
  const nested: Node = {
    id: 'f',
    type: 'parallel',
    config: { branches: [{ id: 'x', nodes: [action('b', { command: 'ship', undo: { command: 'refund' } })] }] },
  };
  expect(resolveBindings(definition(action('a', { command: 'pay' }), nested), catalog)).toEqual({
    pay: { version: 10, hasRollback: true },
    ship: { version: 1 },
    refund: { version: 1, hasRollback: false, heartbeat: '3s' },
  });
});

test('a binding has what the handler declares, without its schemas', () => {
  const bindings = resolveBindings(definition(action('a', { command: 'pay', version: 2 })), catalog);
  expect(bindings).toEqual({ pay: { version: 2, hasRollback: true, retry: { maxAttempts: 7 }, timeout: '5s' } });
});

test('versions of one command stand side by side', () => {
  const bindings = resolveBindings(
    definition(
      action('a', { command: 'pay', version: 1 }),
      action('b', { command: 'pay' }),
      action('c', { command: 'pay', version: 2 }),
    ),
    catalog,
  );
  expect(bindingFor(bindings, 'pay')?.version).toBe(10);
  expect(bindingFor(bindings, 'pay', 1)?.hasRollback).toBe(false);
  expect(bindingFor(bindings, 'pay', 2)?.timeout).toBe('5s');
  expect(bindingFor(bindings, 'pay', 10)?.version).toBe(10);
  expect(bindingFor(bindings, 'pay', 3)).toBeUndefined();
});

test('names of prototypes are no commands', () => {
  expect(handlerOf(catalog, 'constructor', 1)).toBeUndefined();
  expect(versionsOf(catalog, 'toString')).toEqual([]);
  const bindings = resolveBindings(definition(action('a', { command: 'constructor' })), catalog);
  expect(bindingFor(bindings, 'constructor')).toEqual({ version: 1 });
  expect(bindingFor({}, 'constructor')).toBeUndefined();
});
