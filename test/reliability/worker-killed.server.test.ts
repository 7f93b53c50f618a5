/** `kill -9` of the worker at random moments during 50 runs: nothing is lost, no effect comes twice. */
import { expect, test } from 'vitest';
import { killWorkers } from './workers-killed.ts';

test('50 runs whose worker is killed again and again all complete, and each command took effect once', async () => {
  const seed = Date.now() % 1_000_000;
  const report = await killWorkers({ runs: 50, steps: 4, kills: 3, seed });
  console.info(`workers killed, seed ${seed}: ${JSON.stringify(report)}`);
  expect(report.effects).toBe(200);
  expect(report.kills).toBeGreaterThan(0);
}, 240_000);
