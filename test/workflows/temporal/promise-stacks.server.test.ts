import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Definition } from '../../../definitions/types.ts';
import type { RunView } from '../../../workflows/run-view.ts';
import { startWalker, type Walker } from '../../setup/walker.ts';

let walker: Walker;
beforeAll(async () => {
  walker = await startWalker([]);
});
afterAll(() => walker.stop());

const approve: Definition = { id: 'stackless', nodes: [{ id: 'ok', type: 'approval', config: {} }] };

// An SDK that reaches the sandbox in another way shows stacks here again: then promise-stacks.ts saves nothing.
test("Temporal's SDK takes no stacks of the promises of a run", async () => {
  const handle = await walker.start(approve);
  await vi.waitFor(async () => expect((await handle.query<RunView>('state')).waiting).toHaveLength(1), 20_000);
  expect(await handle.query('__stack_trace')).toBe('');
  await handle.terminate();
}, 60_000);
