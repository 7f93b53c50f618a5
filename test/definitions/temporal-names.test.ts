/** Names that Temporal is given as they are: one that it refuses fails the task of the run for ever. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../definitions/types.ts';
import { action, document, messages, node } from './builders.ts';

const begun = (config: JsonObject): JsonObject =>
  document(node('workflow', 'begun', { workflowType: 'theirs', taskQueue: 'queue', ...config }));

test('no task queue begins with what Temporal keeps for itself', () => {
  const message = '"taskQueue": must not begin with "/_sys/", which Temporal keeps for itself';
  const taskQueue = '/_sys/queue';
  expect(messages(begun({ taskQueue }))).toBe(message);
  expect(messages(document(node('action', 'work', { command: 'work', taskQueue })))).toBe(message);
  expect(messages({ ...document(action('work')), defaults: { taskQueue } })).toBe(message);
  expect(messages(begun({ taskQueue: 'a/_sys/queue' }))).toBe('');
});

test('they are counted in bytes', () => {
  const [fits, tooLong] = ['é'.repeat(500), 'é'.repeat(501)];
  expect(messages(begun({ taskQueue: fits, workflowType: fits }))).toBe('');
  expect(messages(begun({ taskQueue: tooLong }))).toBe('"taskQueue": must have at most 1000 bytes');
  expect(messages(begun({ workflowType: tooLong }))).toBe('"workflowType": must have at most 1000 bytes');
});

test('one node waits for at most a hundred types of events, each of which is registered', () => {
  const listening = (count: number): unknown =>
    document(node('event', 'any', { event: Array.from({ length: count }, (_, index) => `type-${index}`) }));
  expect(messages(listening(100))).toBe('');
  expect(messages(listening(101))).not.toBe('');
});
