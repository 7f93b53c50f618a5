import { expect, test } from 'vitest';
import { tortureCache } from './cache-torture.ts';

test('a worker that keeps 3 of 40 runs answers each query with the state of its own run', async () => {
  const report = await tortureCache({ runs: 40, turns: 4, asks: 40 });
  expect(report).toMatchObject({ completed: 40 });
  expect(report.answers).toBe(80);
}, 120_000);
