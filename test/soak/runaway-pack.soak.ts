/** Check 23 at length. */
import { expect, test } from 'vitest';
import { measureRunawayPack } from '../reliability/runaway-pack.ts';
import { printFigures } from './figure.ts';

test('2,000 ordinary runs beside six that spin for ever', async () => {
  const report = await measureRunawayPack(2000);
  printFigures('23, runaway pack', report);
  expect(report).toMatchObject({ vmTimeouts: 0, workerEnded: false });
  expect(report.besideP95Ms).toBeLessThanOrEqual(2 * report.aloneP95Ms);
});
