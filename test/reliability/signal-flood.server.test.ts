/** Check 18, row 15: more signals in one workflow task than one history should take, sent while no worker is up. */
import { expect, test } from 'vitest';
import type { Definition } from '../../definitions/types.ts';
import { eventsWith, waiting } from '../cases/conclude.ts';
import { openStage } from '../cases/stage.ts';

const FLOOD = 8_500;
const AT_ONCE = 100;

const definition: Definition = {
  id: 'flood',
  nodes: [
    {
      id: 'ok',
      type: 'approval',
      config: { assignees: { users: ['ann', 'bob'] }, quorum: 2 },
      nextNodeId: 'later',
    },
    { id: 'later', type: 'approval', config: { assignees: { users: ['cat'] } }, nextNodeId: 'done' },
    {
      id: 'done',
      type: 'end',
      config: { output: ['${nodes.ok.output.decisions.map(d, d.by.id)}', '${nodes.later.output.data}'] },
    },
  ],
};

/** Refused, kept and malformed ones, as they come. */
function anyDecision(index: number): unknown {
  const by = { id: `eve${index}` };
  if (index % 3 === 0) return { nodeId: 'ok', outcome: 'approved', by };
  return index % 3 === 1 ? { nodeId: 'later', outcome: 'approved', by, data: 'x'.repeat(500) } : index;
}

test('8,500 signals while no worker is up are one workflow task, and none of those that count is lost', async () => {
  const stage = await openStage();
  try {
    const handle = await stage.start(definition);
    await waiting(stage.store, handle.workflowId, 'ok');
    await stage.stopWorker();
    const current = stage.client.workflow.getHandle(handle.workflowId);
    const signal = (decision: unknown): Promise<void> => current.signal('decide', decision);
    await signal({ nodeId: 'ok', outcome: 'approved', by: { id: 'ann' } });
    for (let sent = 0; sent < FLOOD; sent += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signal(anyDecision(sent + index))));
    }
    await signal({ nodeId: 'later', outcome: 'approved', by: { id: 'cat' }, data: 'purr' });
    await signal({ nodeId: 'ok', outcome: 'approved', by: { id: 'bob' } });
    await stage.startWorker();
    const { histories, records } = await stage.conclude(handle, { withinMs: 60_000 });
    expect(await handle.result()).toEqual([['ann', 'bob'], 'purr']);
    expect(eventsWith(histories, 'workflowExecutionSignaledEventAttributes')).toHaveLength(FLOOD + 3);
    expect(histories.length).toBeGreaterThan(1);
    const decisions = records.filter((line) => line.kind === 'decision');
    const refused = decisions.filter((line) => line.refusal !== null);
    expect(decisions.length - refused.length).toBe(3);
    // Of the early ones a hundred are kept, and refused when their node is open.
    expect(refused.length).toBeGreaterThan((FLOOD / 3) * 2);
  } finally {
    await stage.close();
  }
}, 240_000);
