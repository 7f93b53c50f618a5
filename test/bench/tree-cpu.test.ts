import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { treeCpuMs } from '../../bench/tree-cpu.ts';

test('the CPU time of a tree of processes holds that of its root, and is unknown where nothing tells', async () => {
  const { user, system } = process.cpuUsage();
  const known = existsSync('/proc/self/stat');
  const measured = await treeCpuMs();
  // The kernel counts in hundredths of a second.
  if (known) expect(measured).toBeGreaterThanOrEqual((user + system) / 1000 - 50);
  else expect(measured).toBeNull();
  expect(await treeCpuMs(-1)).toBeNull();
});
