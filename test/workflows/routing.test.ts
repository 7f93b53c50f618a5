import { expect, test } from 'vitest';
import type { ErrorInfo } from '../../definitions/errors.ts';
import type { ApprovalNode, ConditionNode } from '../../definitions/types.ts';
import type { Outcome } from '../../workflows/outcome.ts';
import { route } from '../../workflows/routing.ts';

const base = { id: 'n', type: 'approval', config: {} } as const satisfies ApprovalNode;
const error: ErrorInfo = { type: 'CARD_DECLINED', message: 'no', nodeId: 'n' };
const notApproved: ErrorInfo = { type: 'NOT_APPROVED', message: 'rejected', nodeId: 'n' };
const named = (name: string, good: boolean): Extract<Outcome, { kind: 'named' }> => ({
  kind: 'named',
  name,
  good,
  output: null,
  otherwise: notApproved,
});
const failed: Outcome & { kind: 'error' } = { kind: 'error', error };

test('success goes to nextNodeId, and without one the scope ends', () => {
  const success = { kind: 'success', output: 1 } as const;
  expect(route({ ...base, nextNodeId: 'a' }, success)).toEqual({ kind: 'next', nodeId: 'a' });
  expect(route(base, success)).toEqual({ kind: 'next', nodeId: null });
});

test('a false condition goes to fallbackNodeId or ends the scope, and is no error', () => {
  const node: ConditionNode = { id: 'c', type: 'condition', config: { expression: 'false' }, nextNodeId: 'a' };
  const no = { kind: 'condition', holds: false } as const;
  expect(route({ ...node, fallbackNodeId: 'b' }, no)).toEqual({ kind: 'next', nodeId: 'b' });
  expect(route(node, no)).toEqual({ kind: 'next', nodeId: null });
});

test('an error of a condition never takes its fallbackNodeId, which means false', () => {
  const node: ConditionNode = { id: 'c', type: 'condition', config: { expression: 'x' }, fallbackNodeId: 'b' };
  expect(route(node, failed)).toEqual({ kind: 'leave', error });
  const caught = { ...node, catch: [{ errors: ['*'], nextNodeId: 'k' }] };
  expect(route(caught, failed)).toEqual({ kind: 'next', nodeId: 'k', error });
});

test('an error takes the first catch entry with its type or "*", then fallbackNodeId, then leaves the scope', () => {
  const node = {
    ...base,
    fallbackNodeId: 'f',
    catch: [
      { errors: ['TIMEOUT'], nextNodeId: 't' },
      { errors: ['CARD_DECLINED'], nextNodeId: 'd' },
      { errors: ['*'], nextNodeId: 'any' },
    ],
  };
  expect(route(node, failed)).toEqual({ kind: 'next', nodeId: 'd', error });
  expect(route({ ...node, catch: node.catch.slice(2) }, failed)).toEqual({ kind: 'next', nodeId: 'any', error });
  expect(route({ ...node, catch: node.catch.slice(0, 1) }, failed)).toEqual({ kind: 'next', nodeId: 'f', error });
  expect(route(base, failed)).toEqual({ kind: 'leave', error });
});

test('only a clear yes is a yes: a bad outcome without a path is an error', () => {
  const node = { ...base, nextNodeId: 'yes' };
  expect(route(node, named('approved', true))).toEqual({ kind: 'next', nodeId: 'yes' });
  expect(route(node, named('rejected', false))).toEqual({ kind: 'leave', error: notApproved });
  const fallback = { ...node, fallbackNodeId: 'no' };
  expect(route(fallback, named('rejected', false))).toEqual({ kind: 'next', nodeId: 'no', error: notApproved });
  const caught = { ...node, catch: [{ errors: ['NOT_APPROVED'], nextNodeId: 'k' }] };
  expect(route(caught, named('rejected', false))).toEqual({ kind: 'next', nodeId: 'k', error: notApproved });
});

test('transitions name the path of an outcome, and outcomes named like Object members have none', () => {
  const node = { ...base, nextNodeId: 'yes', transitions: { rework: 'edit', approved: 'publish' } };
  expect(route(node, named('rework', false))).toEqual({ kind: 'next', nodeId: 'edit' });
  expect(route(node, named('approved', true))).toEqual({ kind: 'next', nodeId: 'publish' });
  expect(route(node, named('toString', false))).toEqual({ kind: 'leave', error: notApproved });
});
