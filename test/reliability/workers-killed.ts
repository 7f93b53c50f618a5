/**
 * Runs whose workers are killed at random moments, until all have ended; then every run is held against its history, its
 * rows and the ledger. The suite plays a few, `npm run soak` many.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Definition, Node } from '../../definitions/types.ts';
import { type Handle, openStage, type Stage } from '../cases/stage.ts';
import { temporalAddress, temporalNamespace } from '../setup/temporal.ts';
import { startWorkerProcess, type TestProcess } from '../setup/worker-process.ts';
import { Random } from '../definitions/random.ts';

export interface Carnage {
  readonly runs: number;
  /** Steps of each run. */
  readonly steps: number;
  /** Kills at most; they end earlier when no run is open any more. */
  readonly kills: number;
  readonly seed: number;
}

export interface CarnageReport {
  readonly kills: number;
  readonly effects: number;
  /** Times that somebody wanted an effect which was there already. */
  readonly repeated: number;
  readonly tookMs: number;
}

const step = (index: number, last: boolean): Node => ({
  id: `step${index}`,
  type: 'action',
  config: {
    command: 'ledger',
    payload: { name: `step${index}` },
    timeout: '3s',
    retry: { maxAttempts: 100, initialInterval: '200ms', maxInterval: '1s' },
  },
  ...(last ? {} : { nextNodeId: `step${index + 1}` }),
});

export async function killWorkers({ runs, steps, kills, seed }: Carnage): Promise<CarnageReport> {
  const startedAt = performance.now();
  const random = new Random(seed);
  const stage = await openStage({ worker: false });
  let worker = await deploy(stage);
  let killed = 0;
  try {
    const definition: Definition = {
      id: 'carnage',
      nodes: Array.from({ length: steps }, (_, index) => step(index + 1, index + 1 === steps)),
    };
    const handles = await Promise.all(Array.from({ length: runs }, () => stage.start(definition)));
    const ended = Promise.all(handles.map((handle) => handle.result()));
    let open = true;
    const settled = ended.finally(() => {
      open = false;
    });
    while (open && killed < kills) {
      await Promise.race([settled, pause(50 + random.below(1500))]);
      if (!open) break;
      await worker.kill();
      killed += 1;
      worker = await deploy(stage);
    }
    await settled;
    const { effects, repeated } = await verify(stage, handles, steps);
    return { kills: killed, effects, repeated, tookMs: Math.round(performance.now() - startedAt) };
  } finally {
    await worker.kill();
    await stage.close();
  }
}

async function verify(stage: Stage, handles: readonly Handle[], steps: number) {
  let effects = 0;
  let repeated = 0;
  for (const handle of handles) {
    const { document } = await stage.conclude(handle, { withinMs: 60_000 });
    expect(document).toMatchObject({ state: 'completed' });
    const rows = await stage.ledger.of(handle.workflowId);
    expect(rows.map(({ key }) => key)).toEqual(
      Array.from({ length: steps }, (_, index) => `${handle.workflowId}/step${index + 1}/1`),
    );
    effects += rows.length;
    repeated += rows.reduce((sum, { attempts }) => sum + attempts - 1, 0);
  }
  return { effects, repeated };
}

function deploy(stage: Stage): Promise<TestProcess> {
  return startWorkerProcess({
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: temporalNamespace(),
    DATABASE_URL: stage.databaseUrl,
    FERMATA_TASK_QUEUE: stage.taskQueue,
  });
}
