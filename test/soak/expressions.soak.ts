/** Check 22 at length: the fuzzers of `test/definitions/expressions`, 100,000 expressions each. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printFigures } from './figure.ts';

const RUNS = Number(process.env['FERMATA_FUZZ_RUNS'] ?? 100_000);

test('no fuzzed expression reaches a host object, is slow or changes the process', () => {
  const startedAt = performance.now();
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'test/definitions/expressions/attacks.test.ts'],
    {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: { ...process.env, FERMATA_FUZZ_RUNS: String(RUNS) },
      stdio: 'inherit',
    },
  );
  printFigures('22, expressions', { runs: RUNS, tookMs: Math.round(performance.now() - startedAt) });
  expect(status).toBe(0);
});
