/**
 * Check 23: runs that would never end, beside ordinary ones on the same worker. The hostile ones spend all the fuel that
 * a walk has, again and again; what is measured is what the ordinary ones feel of it.
 */
import type { Definition, Node } from '../../definitions/types.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { startWorkerProcess } from '../setup/worker-process.ts';

export interface PackReport {
  /** 95th percentile of an ordinary run, in ms, without and with the pack beside it. */
  readonly aloneP95Ms: number;
  readonly besideP95Ms: number;
  /** Visits that the hostile runs made meanwhile. */
  readonly hostileVisits: number;
  /** Times that Temporal's sandbox had to stop a run by force. */
  readonly vmTimeouts: number;
  readonly workerEnded: boolean;
}

const FOREVER = 1_000_000_000;

function loop(id: string, nodes: readonly Node[]): Definition {
  return { id, vars: { n: 0, text: 'x' }, nodes: nodes.map((node) => ({ ...node, maxVisits: FOREVER })) };
}

/** Each goes round without an effect, each in a way of its own. */
export const HOSTILE: readonly Definition[] = [
  loop('spins', [
    { id: 'a', type: 'assign', config: { vars: { n: '${vars.n + 1}' } }, nextNodeId: 'b' },
    { id: 'b', type: 'condition', config: { expression: 'vars.n < 0' }, fallbackNodeId: 'a' },
  ]),
  loop('thinks-hard', [
    { id: 'a', type: 'condition', config: { expression: 'input.list.exists(x, x < 0)' }, fallbackNodeId: 'a' },
  ]),
  loop('thinks-too-hard', [
    {
      id: 'a',
      type: 'condition',
      config: { expression: 'input.list.exists(x, input.list.exists(y, x + y < 0))' },
      catch: [{ errors: ['*'], nextNodeId: 'a' }],
    },
  ]),
  loop('fails', [
    {
      id: 'a',
      type: 'condition',
      config: { expression: 'input.nothing > 1' },
      catch: [{ errors: ['*'], nextNodeId: 'a' }],
    },
  ]),
  loop('grows', [
    {
      id: 'a',
      type: 'assign',
      config: { vars: { text: '${vars.text}${vars.text}' } },
      nextNodeId: 'a',
      catch: [{ errors: ['*'], nextNodeId: 'b' }],
    },
    { id: 'b', type: 'assign', config: { vars: { text: 'x' } }, nextNodeId: 'a' },
  ]),
  loop('matches', [
    { id: 'a', type: 'condition', config: { expression: 'input.text.matches("^(a+)+$")' }, fallbackNodeId: 'a' },
  ]),
];
export const HOSTILE_INPUT = { list: Array.from({ length: 1000 }, (_, index) => index), text: `${'a'.repeat(1000)}b` };

const ORDINARY: Definition = {
  id: 'ordinary',
  nodes: [
    {
      id: 'check',
      type: 'condition',
      config: { expression: 'input.size >= 50' },
      nextNodeId: 'work',
    },
    { id: 'work', type: 'action', config: { command: 'keep', payload: '${input}' }, nextNodeId: 'done' },
    { id: 'done', type: 'end', config: { output: '${nodes.work.output}' } },
  ],
};

/** @param runs Ordinary runs, alone and again beside the pack; 10 are under way at once */
export async function measureRunawayPack(runs: number): Promise<PackReport> {
  const stage = await openStage({ worker: false });
  const worker = await startWorkerProcess({
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: stage.databaseUrl,
    FERMATA_TASK_QUEUE: stage.taskQueue,
  });
  let ended = false;
  void worker.exited.then(() => {
    ended = true;
  });
  try {
    await ordinaryP95(stage, 20);
    const aloneP95Ms = await ordinaryP95(stage, runs);
    const pack = await Promise.all(HOSTILE.map((definition) => stage.start(definition, { input: HOSTILE_INPUT })));
    const besideP95Ms = await ordinaryP95(stage, runs);
    const views = await Promise.all(
      pack.map(({ workflowId }) =>
        stage.client.workflow.getHandle(workflowId).query<{ counts: { visits: number } }>('state'),
      ),
    );
    for (const { workflowId } of pack) await stage.client.workflow.getHandle(workflowId).terminate('the end of a test');
    return {
      aloneP95Ms,
      besideP95Ms,
      hostileVisits: views.reduce((sum, { counts }) => sum + counts.visits, 0),
      vmTimeouts: worker.output().split('Script execution timed out').length - 1,
      workerEnded: ended,
    };
  } finally {
    await worker.kill();
    await stage.close();
  }
}

async function ordinaryP95(stage: Stage, runs: number): Promise<number> {
  const took: number[] = [];
  let left = runs;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const startedAt = performance.now();
      const handle = await stage.start(ORDINARY, { input: { size: 50 } });
      await handle.result();
      took.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  took.sort((one, other) => one - other);
  return Math.round(took[Math.floor(took.length * 0.95)] ?? 0);
}
