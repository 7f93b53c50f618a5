/** Checks 2 and 4 at length: histories of real runs, cut wherever a worker may have died, and replayed by three workers. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openStage } from '../cases/stage.ts';
import { mockCommands, play } from '../integration/play.ts';
import { SAMPLES } from '../integration/samples.ts';
import { replayCuts, storyOf } from '../replay/cuts.ts';
import { uniqueName } from '../setup/temporal.ts';
import { workflowBundlePath } from '../../workers/bundle.ts';
import { openReplayer } from '../../workers/replayer.ts';
import { fetchRunHistories } from '../../workers/run-history.ts';
import { printFigures } from './figure.ts';

/** How often every sample is played; timing differs each time, so histories do. */
const ROUNDS = Number(process.env['FERMATA_CUT_ROUNDS'] ?? 20);

test('every beginning of a history tells what the whole tells, and three workers tell the same', async () => {
  const stage = await openStage({ commands: mockCommands(Object.values(SAMPLES)) });
  const code = await readFile(await workflowBundlePath(), 'utf8');
  const replayers = [openReplayer(code), openReplayer(code), openReplayer(code)] as const;
  const figures = { runs: 0, histories: 0, cuts: 0 };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const samples = Object.values(SAMPLES);
      const played = await Promise.all(samples.map((sample) => play(sample, uniqueName('cut'), stage)));
      for (const { workflowId, firstExecutionRunId } of played) {
        figures.runs += 1;
        await stage.client.workflow
          .getHandle(workflowId)
          .result()
          .catch(() => undefined);
        for (const history of await fetchRunHistories(stage.client, workflowId, firstExecutionRunId)) {
          const [story, ...others] = await Promise.all(replayers.map((one) => storyOf(one, workflowId, history)));
          for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(story));
          figures.histories += 1;
          figures.cuts += await replayCuts(replayers[0], { workflowId, history });
        }
      }
    }
    printFigures('2 and 4, cut histories', figures);
    expect(figures.cuts).toBeGreaterThan(figures.histories);
  } finally {
    for (const replayer of replayers) await replayer.close();
    await stage.close();
  }
});
