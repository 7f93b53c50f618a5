/** Check 1: the walker against the reference, at length. */
import { expect, test } from 'vitest';
import { compareCases } from '../model/compare.ts';
import { printFigures } from './figure.ts';

/** A shorter look: FERMATA_MODEL_RUNS=1000. */
const RUNS = Number(process.env['FERMATA_MODEL_RUNS'] ?? 200_000);
/** Every round tells how far it is, so that a seed is there if somebody stops it. */
const ROUND = 10_000;

test('random definitions are told alike by the walker and the reference', { timeout: 3 * 3_600_000 }, async () => {
  const first = Date.now() % 1_000_000_000;
  let undecided = 0;
  for (let done = 0; done < RUNS; done += ROUND) {
    const count = Math.min(ROUND, RUNS - done);
    // One in five may wait for ever.
    const options = { count, seed: first + done, endless: (done / ROUND) % 5 === 4 };
    const report = await compareCases(options);
    undecided += report.undecided;
    printFigures('1, model', { seed: options.seed, endless: options.endless, ...report });
  }
  expect(undecided).toBeLessThan(RUNS / 100);
});
