import { expect, test } from 'vitest';
import { storyText } from '../../cli/output/story-text.ts';
import { paintFor } from '../../cli/output/paint.ts';
import type { StoryLine } from '../../workers/index.ts';

const paint = paintFor({ colours: false });
const run = { kind: 'run', runId: 'order/7', definitionId: 'order', version: 2 } as const;
const attempt = {
  kind: 'attempt',
  commandId: 'order/7/book/1',
  command: 'book_room',
  attempt: 1,
  error: { type: 'BUSY', message: 'no room\n    at somewhere' },
} as const;

test.each<[StoryLine, string]>([
  [{ ...run, state: 'running', error: null }, 'order/7 started (version 2)'],
  [{ ...run, state: 'completed', error: null }, 'order/7 completed'],
  [
    { ...run, state: 'failed', error: { type: 'BUSY', message: 'no room', nodeId: 'book' } },
    'order/7 failed: BUSY at book: no room',
  ],
  [{ ...attempt, willRetry: true }, 'order/7/book/1 attempt 1 of book_room failed: BUSY: no room; it is tried again'],
  [
    { ...attempt, willRetry: false },
    'order/7/book/1 attempt 1 of book_room failed: BUSY: no room; it is not tried again',
  ],
  [{ ...attempt, willRetry: null }, 'order/7/book/1 attempt 1 of book_room failed: BUSY: no room'],
])('a line of the story is one line: %j', (line, text) => {
  expect(storyText(paint, line)).toBe(text);
});
