/** Check 21: 20,000 malformed and hostile documents at the door of definitions. */
import { expect, test } from 'vitest';
import { fuzzDefinitions } from '../definitions/fuzz.ts';
import { printFigures } from './figure.ts';

test('20,000 hostile definitions: none crashes, none hangs, none that is accepted breaks the walker', async () => {
  const seed = Date.now() % 1_000_000;
  const report = await fuzzDefinitions(20_000, seed);
  printFigures('21, definitions', { seed, ...report });
  expect(report.checked).toBe(20_000);
});
