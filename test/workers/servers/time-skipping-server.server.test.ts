import { expect, onTestFinished, test } from 'vitest';
import { startTimeSkippingServer } from '../../../workers/servers/time-skipping-server.ts';

test('the time-skipping server lets a year pass at once', async () => {
  const environment = await startTimeSkippingServer({ env: process.env, log: () => {} });
  onTestFinished(() => environment.teardown());
  const before = await environment.currentTimeMs();
  await environment.sleep('365 days');
  const passedMs = (await environment.currentTimeMs()) - before;
  expect(passedMs).toBeGreaterThanOrEqual(365 * 86_400_000);
});
