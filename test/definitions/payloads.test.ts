import { describe, expect, test } from 'vitest';
import type { HandlerCatalog } from '../../definitions/handler-catalog.ts';
import type { Json, JsonObject, JsonSchema } from '../../definitions/types.ts';
import { document, each, fork, found, messages, node } from './builders.ts';

const inputSchema: JsonSchema = {
  type: 'object',
  required: ['to', 'count'],
  properties: {
    to: { type: 'string', minLength: 3 },
    count: { type: 'integer', minimum: 1 },
    tags: { type: 'array', maxItems: 2, uniqueItems: true, items: { enum: ['a', 'b', 'c'] } },
    key: { type: 'string', pattern: '^k-' },
    deep: { type: 'object', properties: { x: { type: 'number' } }, additionalProperties: false },
    kind: { enum: ['mail', 'text'] },
  },
  additionalProperties: false,
  allOf: [{ if: { properties: { kind: { const: 'mail' } }, required: ['kind'] }, then: { required: ['deep'] } }],
};
const handlers: HandlerCatalog = { work: { '1': { hasRollback: false, inputSchema } } };

/** The path behind the payload of each issue. */
const faults = (payload: Json): string[] =>
  found(document(node('action', 'a', { command: 'work', payload })), { handlers }).map((issue) =>
    issue.replace('error payload_invalid /nodes/0/config/payload', '').replace(' a', ''),
  );

describe('a payload with computed values', () => {
  test.each<[string, Json, string[]]>([
    ['all computed', '${event.data}', []],
    ['each computed', { to: '${event.data.to}', count: '${event.data.n}' }, []],
    ['a field that is missing', { to: '${event.data.to}' }, ['']],
    ['a field that is misspelt', { to: 'x-1', count: '${1}', tgas: ['${"a"}'] }, ['/tgas']],
    ['a computed field that is misspelt', { to: 'x-1', count: 1, cuont: '${event.data.n}' }, ['/cuont']],
    ['a field inside', { to: 'x-1', count: 1, deep: { x: '${1}', y: '${2}' } }, ['/deep/y']],
    ['a plain value beside it', { to: '${event.data.to}', count: 0 }, ['/count']],
    ['a text with a part computed is a text', { to: 'Hi ${event.data.to}', count: 'No ${event.data.n}' }, ['/count']],
    ['the length of such a text is unknown', { to: '${event.data.a}${event.data.b}', count: 1 }, []],
    ['items of a list', { to: 'abc', count: 1, tags: ['${event.data.t}', 'z'] }, ['/tags/1']],
    ['a list that is too long', { to: 'abc', count: 1, tags: ['${1}', '${2}', 'a'] }, ['/tags']],
    ['items that may be equal', { to: 'abc', count: 1, tags: ['${"a"}', '${"b"}'] }, []],
    ['a secret is a text', { to: 'abc', count: { $secret: 'n' }, key: { $secret: 'k' } }, ['/count']],
    ['a condition on a computed value', { to: 'abc', count: 1, kind: '${event.data.kind}' }, []],
    ['a condition on a plain value', { to: 'abc', count: 1, kind: 'mail' }, ['']],
    ['a literal ${', { to: '$${', count: 1 }, ['/to']],
  ])('%s', (_, payload, paths) => {
    expect(faults(payload)).toEqual(paths);
  });

  test('is checked at every depth, and for undo', () => {
    const undo = node('action', 'a', {
      command: 'other',
      undo: { command: 'work', payload: { to: '${nodes.a.output}' } },
    });
    const all = { ...handlers, other: { '1': { hasRollback: false } } };
    expect(found(document(fork('f', [[each('e', [undo])]])), { handlers: all })).toEqual([
      'error payload_invalid /nodes/0/config/branches/0/nodes/0/config/nodes/0/config/undo/payload a',
    ]);
  });

  test('is told in words of ours', () => {
    const value: JsonObject = document(node('action', 'a', { command: 'work', payload: { to: 5, x: '${1}' } }));
    expect(messages(value, { handlers })).toBe(
      [
        'the payload: the field "count" is missing (input of the handler of "work")',
        '"to": must be a text, not a number (input of the handler of "work")',
        '"x": is not allowed here (input of the handler of "work")',
      ].join('\n'),
    );
  });
});
