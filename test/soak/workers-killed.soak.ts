/** `kill -9` of the worker, 20 times during 200 runs. */
import { expect, test } from 'vitest';
import { killWorkers } from '../reliability/workers-killed.ts';
import { printFigures } from './figure.ts';

test('200 runs whose worker is killed 20 times all complete, and each command took effect once', async () => {
  const seed = Date.now() % 1_000_000;
  const report = await killWorkers({ runs: 200, steps: 10, kills: 20, seed });
  printFigures('6, workers killed', { seed, ...report });
  expect(report.effects).toBe(2000);
});
