import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../../activities/define-command.ts';
import type { Definition } from '../../../definitions/types.ts';
import { startWalker, type Walker } from '../../setup/walker.ts';

let walker: Walker;
const keys: string[] = [];

const echo = defineCommand({
  type: 'echo',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  async execute({ text }, ctx) {
    keys.push(ctx.idempotencyKey);
    return { text: `${text}!` };
  },
});

beforeAll(async () => {
  walker = await startWalker([echo]);
});
afterAll(() => walker.stop());

const chain = (count: number, local = false): Definition => ({
  id: 'chain',
  nodes: Array.from({ length: count }, (_, index) => ({
    id: `step${index + 1}`,
    type: 'action' as const,
    config: { command: 'echo', payload: { text: index === 0 ? 'a' : `\${nodes.step${index}.output.text}` }, local },
    ...(index + 1 < count ? { nextNodeId: `step${index + 2}` } : {}),
  })),
});

test('ten regular commands in sequence make the 65 history events of hand-written code', async () => {
  const handle = await walker.start(chain(10));
  expect(await handle.result()).toEqual({ text: 'a!!!!!!!!!!' });
  const { events } = await handle.fetchHistory();
  expect(events).toHaveLength(65);
  expect(keys.filter((key) => key.startsWith(handle.workflowId))).toEqual(
    Array.from({ length: 10 }, (_, index) => `${handle.workflowId}/step${index + 1}/1`),
  );
});
