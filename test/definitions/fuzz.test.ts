import { expect, test } from 'vitest';
import { fuzzDefinitions } from './fuzz.ts';

test('2,000 malformed and hostile documents: no crash, no hang, every refusal names its place, what is accepted runs', async () => {
  const report = await fuzzDefinitions(2000);
  expect(report.checked).toBe(2000);
  // Both sides are met often enough to mean something.
  expect(report.accepted).toBeGreaterThan(100);
  expect(report.refused).toBeGreaterThan(1000);
  expect(report.walked).toBeGreaterThan(50);
}, 60_000);
