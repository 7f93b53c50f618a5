/** Check 23: six runs that spin for ever beside 200 ordinary ones on one worker. */
import { expect, test } from 'vitest';
import { measureRunawayPack } from './runaway-pack.ts';

test('runs that spin for ever neither stop their worker nor starve the ordinary ones', async () => {
  const report = await measureRunawayPack(200);
  console.info(`runaway pack: ${JSON.stringify(report)}`);
  expect(report).toMatchObject({ vmTimeouts: 0, workerEnded: false });
  expect(report.hostileVisits).toBeGreaterThan(10_000);
  // Beside other test files the figures are rough; `npm run soak` holds them to twice, alone on its machine.
  expect(report.besideP95Ms).toBeLessThanOrEqual(10 * report.aloneP95Ms);
}, 240_000);
