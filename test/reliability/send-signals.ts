/** Many decisions by signal to one waiting run, all of people who may not decide, and then one that counts. */
import type { Conclusion } from '../cases/conclude.ts';
import { waiting } from '../cases/conclude.ts';
import type { Stage } from '../cases/stage.ts';
import type { WireStart } from '../../workflows/temporal/wire.ts';

/** Signals between two looks at the run, so that no workflow task has to take them all. */
const BETWEEN_LOOKS = 500;
const AT_ONCE = 50;
/** When more than 100 signals come during one task the server hands it out again: a delay, and no loss. */
const MOST_RETRIED = 100;

export async function sendSignals(stage: Stage, count: number, options: Partial<WireStart>): Promise<Conclusion> {
  const definition = {
    id: 'limit-signals',
    nodes: [
      { id: 'ok', type: 'approval', config: { assignees: { users: ['ann'] } }, nextNodeId: 'done' },
      { id: 'done', type: 'end' },
    ],
  } as const;
  const handle = await stage.start(definition, options);
  await waiting(stage.store, handle.workflowId, 'ok');
  const current = stage.client.workflow.getHandle(handle.workflowId);
  const signal = (id: string): Promise<void> =>
    current.signal('decide', { nodeId: 'ok', outcome: 'approved', by: { id } });
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signal(`eve${sent + index}`)));
    if ((sent + AT_ONCE) % BETWEEN_LOOKS === 0) await current.query('state');
  }
  await signal('ann');
  return stage.conclude(handle, { withinMs: 60_000, failedTasks: MOST_RETRIED, overtaken: true });
}
