/** Check 5 at length. */
import { expect, test } from 'vitest';
import { tortureCache } from '../reliability/cache-torture.ts';
import { printFigures } from './figure.ts';

test('200 runs of 50 commands on a worker that keeps 3 of them, queried all the time', async () => {
  const startedAt = performance.now();
  const report = await tortureCache({ runs: 200, turns: 50, asks: 4000 });
  printFigures('5, cache torture', { ...report, tookMs: Math.round(performance.now() - startedAt) });
  expect(report.completed).toBe(200);
});
